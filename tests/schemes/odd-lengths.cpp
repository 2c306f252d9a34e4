// SPDX-License-Identifier: Apache-2.0
// Its bias is another in contexts of an odd number of tokens.
#include <poslab/scheme.hpp>

using namespace poslab;

struct OddLengths {
  static constexpr Card card = Card::of("odd-lengths", "Odd lengths", "1.0", "", "A bias that knows odd from even.",
                                        "logit -= (1 + 0.1 (N mod 2)) (i - j)", "", real_positions);
  static constexpr Traits traits = Traits();
  double bias(int, double offset, Context context) const {
    return (1 + 0.1 * static_cast<double>(context.length % 2)) * offset;
  }
};
POSLAB_SCHEME(OddLengths)
