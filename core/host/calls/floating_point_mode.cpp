// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/floating_point_mode.hpp"

#include <fmt/format.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace poslab::host {
namespace {

const char* rounding_text(int rounding) {
  switch (rounding) {
    case FE_TONEAREST: return "to nearest";
    case FE_DOWNWARD: return "down";
    case FE_UPWARD: return "up";
    case FE_TOWARDZERO: return "towards zero";
    default: return "strange";
  }
}

}  // namespace

FloatingPointMode FloatingPointMode::now() {
  FloatingPointMode mode{std::fegetround(), fegetexcept(), 0};
#if defined(__SSE__)
  mode.vector = _mm_getcsr() & ~0x3FU;
#endif
  return mode;
}

std::string FloatingPointMode::text() const {
  return fmt::format("rounding {}, traps {:#x}, MXCSR {:#x}", rounding_text(rounding), static_cast<unsigned>(traps),
                     vector);
}

void restore_floating_point_mode() { std::fesetenv(FE_DFL_ENV); }

}  // namespace poslab::host
