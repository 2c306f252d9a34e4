// SPDX-License-Identifier: Apache-2.0
// What `create` makes of an author's struct: the scheme with its parameters bound, and what it tells of itself.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "poslab/sdk/call.hpp"
#include "poslab/sdk/card.hpp"
#include "poslab/sdk/parameter.hpp"
#include "poslab/sdk/weight.hpp"

namespace poslab::sdk {

/// Where an author gives a gradient by hand, it is used; `derived` uses the tape everywhere, to compare the two.
enum class Gradients { by_hand, derived };

// `x_of(scheme, model, fallback)`: what an author wrote as x(model), x() or a member x; else the fallback.
#define POSLAB_SDK_PROPERTY(name)                                                 \
  template <class T, class Fallback>                                              \
  auto name##_of(const T& scheme, const Model& model, const Fallback& fallback) { \
    (void)scheme, (void)model, (void)fallback;                                    \
    if constexpr (requires { scheme.name(model); })                               \
      return scheme.name(model);                                                  \
    else if constexpr (requires { scheme.name(); })                               \
      return scheme.name();                                                       \
    else if constexpr (requires { scheme.name; })                                 \
      return scheme.name;                                                         \
    else                                                                          \
      return fallback;                                                            \
  }
POSLAB_SDK_PROPERTY(claims)
POSLAB_SDK_PROPERTY(mask)
POSLAB_SDK_PROPERTY(max_position)
POSLAB_SDK_PROPERTY(min_position)
POSLAB_SDK_PROPERTY(least_axes)
POSLAB_SDK_PROPERTY(most_axes)
POSLAB_SDK_PROPERTY(logit_scale)
POSLAB_SDK_PROPERTY(unique_up_to)
POSLAB_SDK_PROPERTY(inverse_frequency)
POSLAB_SDK_PROPERTY(score_writes_logits)
POSLAB_SDK_PROPERTY(rotary_width)
POSLAB_SDK_PROPERTY(pairing)
POSLAB_SDK_PROPERTY(weights)
#undef POSLAB_SDK_PROPERTY

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
    constexpr double infinity = std::numeric_limits<double>::infinity();
    rule.lowest = static_cast<double>(min_position_of(scheme, model, -infinity));
    rule.highest = static_cast<double>(max_position_of(scheme, model, infinity));
    rule.least_axes = least_axes_of(scheme, model, T::card.least_axes);
    rule.most_axes = most_axes_of(scheme, model, T::card.most_axes);
    rule.real = T::card.real_positions;
    declare_weights();
    inverse_frequency = inverse_frequency_of(scheme, model, std::vector<double>());
  }

  void describe(poslab_instance& instance) const {
    instance.self = const_cast<void*>(static_cast<const void*>(this));
    instance.claims = Claims(claims_of(scheme, model, no_claims)).bits;
    instance.mask = static_cast<std::int32_t>(Mask(mask_of(scheme, model, Mask::any)));
    instance.score_writes_logits = static_cast<bool>(score_writes_logits_of(scheme, model, false));
    instance.logit_scale = static_cast<double>(logit_scale_of(scheme, model, 0.0));
    instance.lowest_position = rule.lowest;
    instance.highest_position = rule.highest;
    instance.unique_up_to = static_cast<double>(unique_up_to_of(scheme, model, 0.0));
    instance.weights = weight_pointers.data();
    instance.weight_count = static_cast<std::int64_t>(weight_pointers.size());
    instance.inverse_frequency = inverse_frequency.empty() ? nullptr : inverse_frequency.data();
    instance.inverse_frequency_count = static_cast<std::int64_t>(inverse_frequency.size());
    instance.least_axes = rule.least_axes;
    instance.most_axes = rule.most_axes;
  }

  T scheme{};
  Model model;
  PositionRule rule;
  std::vector<Weight> declared;
  std::vector<poslab_weight> weight_rows;
  std::vector<const poslab_weight*> weight_pointers;
  std::vector<double> inverse_frequency;

 private:
  template <std::size_t... i>
  void bind_all(const poslab_value* values, std::index_sequence<i...>) {
    // static: GCC 12 at -O3 loses a write through a pointer to member that lies in a local constexpr object.
    [[maybe_unused]] static constexpr auto parameters = parameters_of<T>();
    (bind(scheme, std::get<i>(parameters), values[i]), ...);
  }

  void declare_weights() {
    declared = weights_of(scheme, model, std::vector<Weight>());
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
