// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/refusal.hpp"

#include <utility>

#include "poslab/base/error.hpp"

namespace poslab::base {

Refusal::Refusal(std::string reason_) : reason(std::move(reason_)) {
  if (reason.empty()) throw Error("a refusal has no reason");
}

std::string reason_of(const std::optional<Refusal>& refusal) { return refusal ? refusal->reason : ""; }

std::optional<Refusal> refusal_of(std::string reason) {
  if (reason.empty()) return std::nullopt;
  return Refusal(std::move(reason));
}

Refusal refusal_by_stranger(std::string reason) {
  return reason.empty() ? Refusal("no reason is given") : Refusal(std::move(reason));
}

}  // namespace poslab::base
