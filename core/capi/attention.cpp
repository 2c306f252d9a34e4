// SPDX-License-Identifier: Apache-2.0
// A whole layer of attention with a variant's operations in their places.
#include "poslab/attention/attention.hpp"

#include <algorithm>
#include <limits>

#include "variant.hpp"

namespace poslab::capi {
namespace {

using base::Index;
using base::View;

template <class S>
void require_shape(const char* name, View<S> array, std::initializer_list<Index> wanted) {
  const View<S> of_that_shape(array.data, wanted);
  if (array.rank == of_that_shape.rank && array.shape == of_that_shape.shape) return;
  const auto text = [](const View<S>& view) {
    return fmt::format("[{}]", fmt::join(view.shape.begin(), view.shape.begin() + view.rank, ", "));
  };
  throw not_understood(fmt::format("{} has shape {}, but must have {}", name, text(array), text(of_that_shape)));
}

template <class S>
struct Sequence {
  attention::Layer<S> layer;
  attention::Content<S> content;
};

// Checked, as attention takes arrays as they are.
template <class S>
Sequence<S> sequence_of(const host::Scheme& scheme, const poslab_call& call) {
  const auto positions = view_of<const double>("positions", call.positions);
  if (positions.rank != 2) throw not_understood("positions must have shape [N, A]");
  const Index N = positions.shape[0], H = scheme.model().heads, K = scheme.model().head_width();
  const Sequence<S> out{{&scheme, context_of(scheme, call, N), positions, weights_of<S>(scheme, call), call.layer},
                        {view_of<const S>("query", call.query), view_of<const S>("key", call.key),
                         view_of<const S>("layer_input", call.layer_input)}};
  if (const auto refusal = scheme.why_not_mask(call.causal != 0)) throw data::Refused(refusal->reason);
  scheme.require_positions(positions);
  require_shape("query", out.content.query, {H, N, K});
  require_shape("key", out.content.key, {H, N, K});
  if (out.content.layer_input.data)
    require_shape("layer_input", out.content.layer_input, {N, scheme.model().model_width});
  return out;
}

template <class S>
void logits(const host::Scheme& scheme, const poslab_call& call) {
  const Sequence<S> of = sequence_of<S>(scheme, call);
  const attention::Layer<S>& layer = of.layer;
  const Index N = layer.positions.shape[0], H = scheme.model().heads;
  const View<S> out = view_of<S>("output", call.output);
  require_shape("output", out, {H, N, N});
  const auto transformed =
      attention::transform<S>(scheme, layer.context, layer.positions, of.content, layer.weights, layer.index);
  for (Index first = 0; first < N; first += attention::queries_per_tile) {
    base::Array<S> tile{H, std::min(attention::queries_per_tile, N - first), N};
    attention::logits<S>(scheme, layer.context, layer.positions, transformed, of.content.layer_input, first,
                         layer.weights, tile, {}, layer.index);
    for (Index h = 0; h < H; ++h)
      for (Index m = 0; m < tile.extent(1); ++m) {
        S* row = std::copy_n(&tile(h, m, 0), N, &out(h, first + m, 0)) - N;
        if (call.causal) std::fill(row + first + m + 1, row + N, -std::numeric_limits<S>::infinity());
      }
  }
}

template <class S>
void attend(const host::Scheme& scheme, const poslab_call& call) {
  const Sequence<S> of = sequence_of<S>(scheme, call);
  const auto values = view_of<const S>("value", call.value);
  const View<S> out = view_of<S>("output", call.output);
  require_shape("value", values, {scheme.model().heads, of.layer.positions.shape[0], scheme.model().head_width()});
  require_shape("output", View<const S>(out), {values.shape[0], values.shape[1], values.shape[2]});
  attention::attend<S>(of.layer, of.content, values, out);
}

}  // namespace
}  // namespace poslab::capi

using namespace poslab::capi;

int32_t poslab_logits(const poslab_variant* variant, const poslab_call* call, poslab_error* error) {
  return guarded(error, [&] { with_scalar(*call, [&]<class S>(S) { logits<S>(variant->scheme, *call); }); });
}

int32_t poslab_attend(const poslab_variant* variant, const poslab_call* call, poslab_error* error) {
  return guarded(error, [&] { with_scalar(*call, [&]<class S>(S) { attend<S>(variant->scheme, *call); }); });
}
