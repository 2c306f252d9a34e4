// SPDX-License-Identifier: Apache-2.0
// What `create` makes of an author's struct: the scheme with its parameters bound, and what it tells of itself.
#pragma once

#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "poslab/sdk/call.hpp"
#include "poslab/sdk/members.hpp"
#include "poslab/sdk/parameter.hpp"
#include "poslab/sdk/traits.hpp"
#include "poslab/sdk/weight.hpp"

namespace poslab::sdk {

/// Where an author gives a gradient by hand, it is used; `derived` uses the tape everywhere, to compare the two.
enum class Gradients { by_hand, derived };

/// What an author wrote as traits(model), traits() or a member traits.
template <class T>
Properties properties_of(const T& scheme, const Model& model) {
  if constexpr (requires { scheme.traits(model); })
    return scheme.traits(model).properties();
  else if constexpr (requires { scheme.traits(); })
    return scheme.traits().properties();
  else
    return scheme.traits.properties();
}

template <class T>
std::vector<Weight> weights_of(const T& scheme, const Model& model) {
  if constexpr (requires { scheme.weights(model); })
    return scheme.weights(model);
  else if constexpr (requires { scheme.weights(); })
    return scheme.weights();
  else
    return {};
}

template <class T>
constexpr auto parameters_of() {
  if constexpr (requires { T::params; })
    return T::params;
  else
    return std::tuple<>{};
}

template <class T>
class Instance {
 public:
  Instance(const poslab_value* values, const Model& given) : model(given) {
    bind_all(values, std::make_index_sequence<std::tuple_size_v<decltype(parameters_of<T>())>>());
    if constexpr (requires { scheme.prepare(model); })
      scheme.prepare(model);
    else if constexpr (requires { scheme.prepare(); })
      scheme.prepare();
    properties = properties_of(scheme, model);
    rule.lowest = properties.min_position;
    rule.highest = properties.max_position;
    rule.least_axes = properties.least_axes.value_or(T::card.least_axes);
    rule.most_axes = properties.most_axes.value_or(T::card.most_axes);
    rule.real = T::card.real_positions;
    check_properties();
    declare_weights();
  }

  void describe(poslab_instance& instance) const {
    const std::vector<double>& frequency = properties.inverse_frequency;
    instance.self = const_cast<void*>(static_cast<const void*>(this));
    instance.claims = properties.claims.bits;
    instance.mask = static_cast<std::int32_t>(properties.mask);
    instance.score_writes_logits = properties.score_writes_logits;
    instance.logit_scale = properties.logit_scale;
    instance.lowest_position = rule.lowest;
    instance.highest_position = rule.highest;
    instance.unique_up_to = properties.unique_up_to;
    instance.weights = weight_pointers.data();
    instance.weight_count = static_cast<std::int64_t>(weight_pointers.size());
    instance.inverse_frequency = frequency.empty() ? nullptr : frequency.data();
    instance.inverse_frequency_count = static_cast<std::int64_t>(frequency.size());
    instance.least_axes = rule.least_axes;
    instance.most_axes = rule.most_axes;
    instance.sides = properties.sides;
    instance.embedding_scale = properties.embedding_scale;
    instance.initial_query_scale = properties.initial_query_scale;
  }

  /// Whether this variant has an operation that the struct has.
  bool offers(Operation operation) const {
    if constexpr (members::offers::named_in<T>)
      return scheme.offers(operation);
    else
      return true;
  }

  T scheme{};
  Model model;
  Properties properties;
  PositionRule rule;
  std::vector<Weight> declared;
  std::vector<poslab_weight> weight_rows;
  std::vector<const poslab_weight*> weight_pointers;

 private:
  template <std::size_t... i>
  void bind_all(const poslab_value* values, std::index_sequence<i...>) {
    // static: GCC 12 at -O3 loses a write through a pointer to member that lies in a local constexpr object.
    [[maybe_unused]] static constexpr auto parameters = parameters_of<T>();
    (bind(scheme, std::get<i>(parameters), values[i]), ...);
  }

  void check_properties() const {
    require(1 <= rule.least_axes && rule.least_axes <= rule.most_axes,
            "a position has 1 number or more, but .axes of its traits says ", rule.least_axes, " to ", rule.most_axes);
    for (const double frequency : properties.inverse_frequency)
      require(std::isfinite(frequency),
              "an inverse frequency is a number of radians per position, but .inverse_frequency of its traits has ",
              frequency);
  }

  void declare_weights() {
    declared = weights_of(scheme, model);
    for (const Weight& weight : declared) {
      require(weight.shape.size() <= 4, "weight \"", weight.name, "\" has more than 4 dimensions");
      poslab_weight row{};
      row.size = sizeof row;
      row.rank = static_cast<std::int32_t>(weight.shape.size());
      row.name = weight.name.c_str();
      for (std::size_t axis = 0; axis < 4; ++axis)
        row.shape[axis] = axis < weight.shape.size() ? weight.shape[axis] : 1;
      row.per_layer = weight.per_layer;
      row.initialisation = weight.initialisation;
      row.first = weight.first;
      row.second = weight.second;
      row.sentence = weight.sentence.c_str();
      row.frozen = weight.is_frozen;
      weight_rows.push_back(row);
    }
    for (const poslab_weight& row : weight_rows) weight_pointers.push_back(&row);
  }
};

}  // namespace poslab::sdk
