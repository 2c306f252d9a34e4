// SPDX-License-Identifier: Apache-2.0
#include "contributions.hpp"

#include <cmath>
#include <utility>

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

// [H, N, K] with the code and without it, and what the layer saw [N, D].
template <class S>
struct Inputs {
  Array<S> query, key, layer_input, bare_query, bare_key;
};

template <class S>
Inputs<S> drawn_inputs(const Setting<S>& setting, const Contents<S>& contents) {
  const Index H = setting.scheme.model().heads;
  const double factor = projection(setting.scheme);
  Array<S> layer_input = with_code(contents.key, setting.code);
  Array<S> key = attention::split_heads<S>(layer_input, H);
  return {attention::split_heads<S>(times(with_code(contents.query, setting.code), factor), H), std::move(key),
          std::move(layer_input), attention::split_heads<S>(times(contents.query.copy(), factor), H),
          attention::split_heads<S>(contents.key, H)};
}

template <class S>
Inputs<S> network_inputs(const Setting<S>& setting, const Contents<S>& contents) {
  const auto project = [&](const Array<S>& stream) { return setting.network->project(stream); };
  Projected<S> keys = project(with_code(contents.key, setting.code));
  return {project(with_code(contents.query, setting.code)).query, std::move(keys.key), std::move(keys.layer_input),
          project(contents.query).query, project(contents.key).key};
}

}  // namespace

template <class S>
Logits<S> logits(const Setting<S>& setting, const Contents<S>& contents) {
  const host::Scheme& scheme = setting.scheme;
  const Index N = contents.query.extent(0), H = scheme.model().heads;
  const auto [query, key, layer_input, bare_query, bare_key] =
      setting.network ? network_inputs(setting, contents) : drawn_inputs(setting, contents);
  Logits<S> result{Array<S>{H, N, N}, Array<S>{H, N, N}};
  const attention::Transformed<S> transformed =
      attention::transform<S>(scheme, setting.context, setting.positions, {query, key, layer_input}, setting.weights);
  attention::logits<S>(scheme, setting.context, setting.positions, transformed, layer_input, 0, setting.weights,
                       result.with_scheme);
  attention::scaled_products<S>(bare_query, bare_key, scheme.logit_scale(), result.added);
  for (Index i = 0; i < result.added.size(); ++i)
    result.added.data()[i] = result.with_scheme.data()[i] - result.added.data()[i];
  return result;
}

template Logits<float> logits(const Setting<float>&, const Contents<float>&);
template Logits<double> logits(const Setting<double>&, const Contents<double>&);

}  // namespace poslab::experiments::content_independence
