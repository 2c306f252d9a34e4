// SPDX-License-Identifier: Apache-2.0
// (x + p) . (y + q) = x.y + (x.q + p.y) + p.q: how much each part of an additive scheme's logits varies among the keys
// of a query. What is the same for all of them, softmax cancels.
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
  double content = 0, cross = 0, position = 0;  // sums of variances, those of the position for each content
  for (Index h = 0; h < H; ++h)
    for (Index m = 0; m < M; ++m) {
      const S* p = &encoding(m, h * K);
      numerics::Moments of_position;
      for (Index n = 0; n < M; ++n) of_position.add(inner_product(p, &encoding(n, h * K), K));
      position += static_cast<double>(C) * of_position.variance();
      for (Index c = 0; c < C; ++c) {
        const S* x = &contents.query.view()[c](h, m, 0);
        numerics::Moments of_content, of_cross;
        for (Index n = 0; n < M; ++n) {
          const S* y = &contents.key.view()[c](h, n, 0);
          of_content.add(inner_product(x, y, K));
          of_cross.add(inner_product(x, &encoding(n, h * K), K) + inner_product(p, y, K));
        }
        content += of_content.variance();
        cross += of_cross.variance();
      }
    }
  const double all = content + cross + position;
  return {numerics::ratio_or_zero(content, all), numerics::ratio_or_zero(cross, all),
          numerics::ratio_or_zero(position, all)};
}

template Shares shares(const Setting<double>&, const Contents<double>&);
template Shares shares(const Setting<float>&, const Contents<float>&);

}  // namespace poslab::experiments::relative_shift
