// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/expectation.hpp"

namespace poslab::data {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::not_measured: return "not measured";
  }
  return "?";
}

}  // namespace poslab::data
