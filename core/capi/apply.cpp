// SPDX-License-Identifier: Apache-2.0
// One operation of a variant, or its gradient.
#include "variant.hpp"

namespace poslab::capi {
namespace {

using base::View;
using host::Operation;

// The arrays of a call as the host takes them.
template <class S>
struct Arrays {
  const host::Scheme& scheme;
  const poslab_call& call;
  host::Positions positions = view_of<const double>("positions", call.positions),
                  query_positions = view_of<const double>("query_positions", call.query_positions),
                  key_positions = view_of<const double>("key_positions", call.key_positions);
  std::vector<View<const S>> weights = weights_of<S>(scheme, call);
  std::vector<View<S>> weight_gradients = views_of<S>("a weight's gradient", call.weight_gradients, call.weight_count);
  host::Context context = context_of(scheme, call, (call.positions ? positions : key_positions).shape[0]);
  host::Tile tile{query_positions, key_positions, call.first_query};

  View<S> output() const { return view_of<S>("output", call.output); }
  View<const S> output_gradient() const { return view_of<const S>("output_gradient", call.output_gradient); }
  View<const S> attention() const { return view_of<const S>("attention", call.attention); }
  host::ScoreInput<S> score_input() const {
    return {view_of<const S>("layer_input", call.layer_input), view_of<const S>("query", call.query),
            view_of<const S>("key", call.key), call.scale};
  }
  host::Side side() const {
    if (call.side < POSLAB_QUERY || call.side > POSLAB_OUTPUT)
      throw not_understood(fmt::format("there is no side {}", call.side));
    return static_cast<host::Side>(call.side);
  }
  // x before `transform`, which its gradient by weights needs.
  View<const S> before() const {
    const poslab_view* of_side[] = {call.query, call.key, call.value, call.mixed};
    return view_of<const S>("what is transformed", of_side[static_cast<int>(side())]);
  }
};

template <class S>
void forward(Operation operation, const Arrays<S>& of) {
  const host::Scheme& scheme = of.scheme;
  const base::Index layer = of.call.layer;
  switch (operation) {
    case Operation::encode: return scheme.encode<S>(of.context, of.positions, of.weights, of.output());
    case Operation::transform:
      return scheme.transform<S>(of.context, of.side(), of.positions, of.weights, of.output(), layer);
    case Operation::bias: return scheme.bias<S>(of.context, of.tile, of.weights, of.output(), layer);
    case Operation::score:
      return scheme.score<S>(of.context, of.tile, of.score_input(), of.weights, of.output(), layer);
    case Operation::mix: return scheme.mix<S>(of.context, of.tile, of.attention(), of.weights, of.output(), layer);
  }
}

template <class S>
void gradient(Operation operation, const Arrays<S>& of) {
  const host::Scheme& scheme = of.scheme;
  const base::Index layer = of.call.layer;
  switch (operation) {
    case Operation::encode:
      return scheme.encode_gradient<S>(of.context, of.positions, of.weights, of.output_gradient(), of.weight_gradients);
    case Operation::transform:
      return scheme.transform_gradient<S>(of.context, of.side(), of.positions, of.weights, of.output(),
                                          of.weight_gradients, of.before(), layer);
    case Operation::bias:
      return scheme.bias_gradient<S>(of.context, of.tile, of.weights, of.output_gradient(), of.weight_gradients, layer);
    case Operation::score:
      return scheme.score_gradient<S>(
          of.context, of.tile, of.score_input(), of.weights, of.output_gradient(),
          {view_of<S>("layer_input_gradient", of.call.layer_input_gradient),
           view_of<S>("query_gradient", of.call.query_gradient), view_of<S>("key_gradient", of.call.key_gradient)},
          of.weight_gradients, layer);
    case Operation::mix:
      return scheme.mix_gradient<S>(of.context, of.tile, of.attention(), of.weights, of.output_gradient(),
                                    view_of<S>("attention_gradient", of.call.attention_gradient), of.weight_gradients,
                                    layer);
  }
}

Operation offered(const host::Scheme& scheme, std::int32_t index, bool with_gradient) {
  if (index < 0 || index >= POSLAB_OPERATION_COUNT)
    throw not_understood(fmt::format("there is no operation {}", index));
  const auto operation = static_cast<Operation>(index);
  if (!scheme.has(operation))
    throw not_understood(fmt::format("scheme \"{}\" has no operation {}", scheme.info().id, host::to_text(operation)));
  if (with_gradient && !scheme.has_gradient(operation))
    throw not_understood(
        fmt::format("scheme \"{}\" has no gradient of {}", scheme.info().id, host::to_text(operation)));
  return operation;
}

}  // namespace
}  // namespace poslab::capi

using namespace poslab::capi;

int32_t poslab_apply(const poslab_variant* variant, int32_t operation, const poslab_call* call, poslab_error* error) {
  return guarded(error, [&] {
    const auto which = offered(variant->scheme, operation, false);
    with_scalar(*call, [&]<class S>(S) { forward<S>(which, Arrays<S>{variant->scheme, *call}); });
  });
}

int32_t poslab_apply_gradient(const poslab_variant* variant, int32_t operation, const poslab_call* call,
                              poslab_error* error) {
  return guarded(error, [&] {
    const auto which = offered(variant->scheme, operation, true);
    with_scalar(*call, [&]<class S>(S) { gradient<S>(which, Arrays<S>{variant->scheme, *call}); });
  });
}
