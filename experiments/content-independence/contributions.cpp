// SPDX-License-Identifier: Apache-2.0
#include "contributions.hpp"

#include <cmath>

#include "poslab/attention/heads.hpp"
#include "poslab/attention/logits.hpp"

namespace poslab::experiments::content_independence {
namespace {

template <class S>
Array<S> with_code(const Array<S>& content, const Array<S>& code) {
  Array<S> sum = content.copy();
  for (Index i = 0; i < code.size(); ++i) sum.data()[i] += code.data()[i];
  return sum;
}

// By which queries are multiplied, so that the scheme's scale becomes 1 / sqrt(K).
double projection(const host::Scheme& scheme) {
  return 1 / (std::sqrt(static_cast<double>(scheme.model().head_width())) * scheme.logit_scale());
}

template <class S>
Array<S> times(Array<S> rows, double factor) {
  if (factor != 1)
    for (S& x : rows.flat()) x = static_cast<S>(factor * static_cast<double>(x));
  return rows;
}

}  // namespace

template <class S>
Logits<S> logits(const Setting<S>& setting, const Contents<S>& contents) {
  const host::Scheme& scheme = setting.scheme;
  const Index N = contents.query.extent(0), H = scheme.model().heads;
  const double factor = projection(scheme);
  const Array<S> layer_input = with_code(contents.key, setting.code);
  const Array<S> query = attention::split_heads<S>(times(with_code(contents.query, setting.code), factor), H);
  const Array<S> key = attention::split_heads<S>(layer_input, H);
  Logits<S> result{Array<S>{H, N, N}, Array<S>{H, N, N}};
  const attention::Transformed<S> transformed =
      attention::transform<S>(scheme, setting.context, setting.positions, {query, key, layer_input}, setting.weights);
  attention::logits<S>(scheme, setting.context, setting.positions, transformed, layer_input, 0, setting.weights,
                       result.with_scheme);
  const Array<S> bare_query = attention::split_heads<S>(times(contents.query.copy(), factor), H);
  attention::scaled_products<S>(bare_query, attention::split_heads<S>(contents.key, H), scheme.logit_scale(),
                                result.added);
  for (Index i = 0; i < result.added.size(); ++i)
    result.added.data()[i] = result.with_scheme.data()[i] - result.added.data()[i];
  return result;
}

template Logits<float> logits(const Setting<float>&, const Contents<float>&);
template Logits<double> logits(const Setting<double>&, const Contents<double>&);

}  // namespace poslab::experiments::content_independence
