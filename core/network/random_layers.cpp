// SPDX-License-Identifier: Apache-2.0
#include "poslab/network/random_layers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace poslab::network {
namespace {

template <class S>
Array<S> draw_random_weight(const data::Draws& draws, const char* name, Index layer, Index out, Index in, double gain) {
  const Array<double> drawn = draws.normal(fmt::format("{} weight of layer {}", name, layer), {out, in});
  const double deviation = std::sqrt(gain / static_cast<double>(in));
  Array<S> weight{out, in};
  for (Index i = 0; i < weight.size(); ++i) weight.data()[i] = static_cast<S>(deviation * drawn.data()[i]);
  return weight;
}

}  // namespace

double query_factor_of(const host::Scheme* scheme) {
  if (!scheme) return 1;
  return 1 / std::sqrt(static_cast<double>(scheme->model().head_width())) / scheme->logit_scale();
}

StackOptions random_stack(const host::Model& model, Index length, Index feed_forward, bool causal) {
  return {.model_width = model.model_width,
          .heads = model.heads,
          .feed_forward = feed_forward,
          .train_length = length,
          .causal = causal};
}

template <class S>
StackLayer<S> RandomLayer<S>::with(const host::Scheme& scheme, std::vector<View<const S>> scheme_weights) const {
  StackLayer<S> layer{&scheme, {}, query_factor_of(&scheme)};
  const auto weight = [](const Array<S>& array) { return Affine<View<const S>>{array.view(), {}}; };
  layer.arrays = {{},
                  weight(query),
                  weight(key),
                  weight(value),
                  weight(output),
                  {},
                  weight(up),
                  weight(down),
                  std::move(scheme_weights)};
  return layer;
}

template <class S>
RandomLayer<S> draw_random_layer(const data::Draws& draws, Index layer, const StackOptions& options) {
  const Index D = options.model_width, F = options.feed_forward;
  const auto square = [&](const char* name) { return draw_random_weight<S>(draws, name, layer, D, D, 1); };
  RandomLayer<S> drawn{square("query"), square("key"), square("value"), square("output"), {}, {}};
  if (F > 0) {
    drawn.up = draw_random_weight<S>(draws, "up", layer, F, D, 2);
    drawn.down = draw_random_weight<S>(draws, "down", layer, D, F, 2);
  }
  return drawn;
}

#define POSLAB_FOR(S)             \
  template struct RandomLayer<S>; \
  template RandomLayer<S> draw_random_layer<S>(const data::Draws&, Index, const StackOptions&);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::network
