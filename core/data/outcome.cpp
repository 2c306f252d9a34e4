// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/outcome.hpp"

namespace poslab::data {

const char* to_text(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::failed: return "failed";
    case Status::crashed: return "crashed";
    case Status::timeout: return "timeout";
    case Status::skipped: return "skipped";
  }
  return "?";
}

}  // namespace poslab::data
