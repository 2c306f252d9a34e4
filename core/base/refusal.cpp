// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/refusal.hpp"

#include <utility>

#include "poslab/base/error.hpp"

namespace poslab::base {

Refusal::Refusal(std::string reason_) : reason(std::move(reason_)) {
  if (reason.empty()) throw Error("a refusal has no reason");
}

}  // namespace poslab::base
