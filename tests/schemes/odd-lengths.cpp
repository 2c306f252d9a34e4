// SPDX-License-Identifier: Apache-2.0
// Its bias is another in contexts of an odd number of tokens.
#include <poslab/scheme.hpp>

using namespace poslab;

struct OddLengths {
  static constexpr Card card{
      .id = "odd-lengths",
      .title = "Odd lengths",
      .version = "1.0",
      .summary = "A bias that knows odd from even.",
      .formula = "logit -= (1 + 0.1 (N mod 2)) (i - j)",
      .real_positions = true,
  };
  static constexpr Traits traits = Traits();
  double bias(int, double offset, Context context) const {
    return (1 + 0.1 * static_cast<double>(context.length % 2)) * offset;
  }
};
POSLAB_SCHEME(OddLengths)
