// SPDX-License-Identifier: Apache-2.0
// Its bias is another in contexts of a prime number of tokens, which no round length is.
#include <poslab/scheme.hpp>

using namespace poslab;

struct PrimeLengths {
  static constexpr Card card{
      .id = "prime-lengths",
      .title = "Prime lengths",
      .version = "1.0",
      .paper = "",
      .summary = "A bias that knows primes.",
      .formula = "logit -= (1 + 0.1 [N is prime]) (i - j)",
      .used_in = "",
      .real_positions = true,
  };
  static constexpr Traits traits = Traits();
  static bool is_prime(Index n) {
    for (Index d = 2; d * d <= n; ++d)
      if (n % d == 0) return false;
    return n > 1;
  }
  double bias(int, double offset, Context context) const { return (is_prime(context.length) ? 1.1 : 1) * offset; }
};
POSLAB_SCHEME(PrimeLengths)
