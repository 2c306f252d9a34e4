// SPDX-License-Identifier: Apache-2.0
// Whether the logit of a pair depends on tokens that are none of the two.
// Dimension letters: N positions, D model width, H heads.
#include <cmath>

#include "poslab/numerics/statistics.hpp"
#include "spread.hpp"

namespace poslab::experiments::content_independence {
namespace {

// So many classes of tokens: every pair is left as it is by one of them at least.
constexpr Index classes = 3;

template <class S>
Contents<S> with_others(const Contents<S>& contents, const Contents<S>& others, Index changed) {
  Contents<S> mixed{contents.query.copy(), contents.key.copy()};
  const Index N = mixed.query.extent(0), D = mixed.query.extent(1);
  for (Index n = changed; n < N; n += classes) {
    std::copy_n(&others.query(n, 0), D, &mixed.query(n, 0));
    std::copy_n(&others.key(n, 0), D, &mixed.key(n, 0));
  }
  return mixed;
}

}  // namespace

template <class S>
double third_tokens(const Setting<S>& setting, const std::vector<Contents<S>>& contents, bool causal) {
  double squares = 0, pairs = 0;
  for (std::size_t c = 0; c + 1 < contents.size(); c += 2) {
    const Array<S> before = logits(setting, contents[c]).with_scheme;
    const Index H = before.extent(0), N = before.extent(1);
    for (Index changed = 0; changed < classes; ++changed) {
      const Array<S> after = logits(setting, with_others(contents[c], contents[c + 1], changed)).with_scheme;
      for (Index h = 0; h < H; ++h)
        for (Index m = 0; m < N; ++m) {
          if (m % classes == changed) continue;
          numerics::Moments change;
          for (Index n = 0; n < (causal ? m + 1 : N); ++n)
            if (n % classes != changed)
              change.add(static_cast<double>(after(h, m, n)) - static_cast<double>(before(h, m, n)));
          squares += change.count() * change.variance();
          pairs += change.count();
        }
    }
  }
  return std::sqrt(squares / pairs);
}

template double third_tokens(const Setting<float>&, const std::vector<Contents<float>>&, bool);
template double third_tokens(const Setting<double>&, const std::vector<Contents<double>>&, bool);

}  // namespace poslab::experiments::content_independence
