// SPDX-License-Identifier: Apache-2.0
// (x + p) . (y + q) = x.y + (x.q + p.y) + p.q: how much each part of an additive scheme's logits varies.
#include "parts.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments::relative_shift {
template <class S>
Shares shares(const Setting<S>& setting, const Contents<S>& contents) {
  const Index C = setting.contents, H = contents.query.extent(1), M = contents.query.extent(2),
              K = contents.query.extent(3);
  Array<S> encoding{M, H * K};
  if (setting.scheme.has(host::Operation::encode))
    setting.scheme.template encode<S>(setting.context, setting.window, setting.weights, encoding);
  using numerics::inner_product;
  numerics::Moments content, cross, position;
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < M; ++m)
      for (Index n = 0; n < M; ++n) {
        const S* p = &encoding(m, h * K);
        const S* q = &encoding(n, h * K);
        position.add(inner_product(p, q, K));
        for (Index c = 0; c < C; ++c) {
          const S* x = &contents.query.view()[c](h, m, 0);
          const S* y = &contents.key.view()[c](h, n, 0);
          content.add(inner_product(x, y, K));
          cross.add(inner_product(x, q, K) + inner_product(p, y, K));
        }
      }
  const double all = content.variance() + cross.variance() + position.variance();
  return {numerics::ratio_or_zero(content.variance(), all), numerics::ratio_or_zero(cross.variance(), all),
          numerics::ratio_or_zero(position.variance(), all)};
}

template Shares shares(const Setting<double>&, const Contents<double>&);
template Shares shares(const Setting<float>&, const Contents<float>&);

}  // namespace poslab::experiments::relative_shift
