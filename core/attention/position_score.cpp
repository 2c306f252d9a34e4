// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/position_score.hpp"

#include <utility>

namespace poslab::attention {

template <class S>
PositionScores<S>::PositionScores(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
                                  std::vector<View<const S>> weights)
    : scheme_(&scheme), context_(context), positions_(positions), weights_(std::move(weights)) {
  const Index N = positions.shape[0], D = scheme.model().model_width;
  if (encodes()) {
    encoded_ = Array<S>{1, N, D};
    scheme.encode<S>(context, positions, weights_, encoded_.view()[0]);
    return;
  }
  Array<S> ones{scheme.model().heads, N, scheme.model().head_width()};
  ones.fill(1);
  transformed_ = transform<S>(scheme, context, positions, {ones, ones, {}}, weights_);
  if (scheme.has(host::Operation::score)) {
    layer_input_ = Array<S>{N, D};
    layer_input_.fill(1);
  }
}

template <class S>
void PositionScores<S>::rows(Index first, View<S> out) const {
  if (is_product())
    scaled_products<S>(rows_of_heads(left(), first, out.shape[1]), right(), 1, out);
  else
    logits<S>(*scheme_, context_, positions_, transformed_, layer_input_, first, weights_, out, 1.0);
}

template class PositionScores<float>;
template class PositionScores<double>;

}  // namespace poslab::attention
