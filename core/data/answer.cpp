// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/answer.hpp"

namespace poslab::data {

const char* to_text(Mark mark) {
  switch (mark) {
    case Mark::none: return "none";
    case Mark::yes: return "yes";
    case Mark::no: return "no";
    case Mark::partly: return "partly";
    case Mark::cannot_tell: return "cannot tell";
  }
  return "none";
}

}  // namespace poslab::data
