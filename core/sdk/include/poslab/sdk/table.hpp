// SPDX-License-Identifier: Apache-2.0
// The C table of an author's struct: `poslab::sdk::table<Scheme>()` is what POSLAB_SCHEME exports.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>

#include "poslab/sdk/author.hpp"
#include "poslab/sdk/bias.hpp"
#include "poslab/sdk/encode.hpp"
#include "poslab/sdk/mix.hpp"
#include "poslab/sdk/rotate.hpp"
#include "poslab/sdk/score.hpp"
#include "poslab/sdk/transform.hpp"

namespace poslab::sdk {

/// The parameter rows of a scheme, at addresses that stay.
template <class T>
struct ParameterTable {
  static constexpr auto parameters = parameters_of<T>();  // with the usual numbers, to which the rows point
  static constexpr std::size_t count = std::tuple_size_v<decltype(parameters_of<T>())>;
  static constexpr poslab_parameter row_of(const auto& parameter) {
    poslab_parameter row = parameter.row;
    row.usual_count = static_cast<std::int64_t>(parameter.numbers.size());
    if (row.usual_count > 0) row.usual = parameter.numbers.data();
    return row;
  }
  static constexpr auto rows = std::apply(
      [](const auto&... parameter) { return std::array<poslab_parameter, count>{row_of(parameter)...}; }, parameters);
  static constexpr auto pointers = [] {
    std::array<const poslab_parameter*, count + 1> result{};
    for (std::size_t i = 0; i < count; ++i) result[i] = &rows[i];
    return result;
  }();
};

template <class T>
inline constexpr bool offered[POSLAB_OPERATION_COUNT] = {
    members::encode::named_in<T>, members::rotate::named_in<T> || members::transform::named_in<T>,
    members::bias::named_in<T>, members::score::named_in<T>, members::mix::named_in<T>};

template <class T>
constexpr Family family_of() {
  if (T::card.family != Family::by_operation) return T::card.family;
  if (offered<T>[POSLAB_SCORE] || offered<T>[POSLAB_MIX]) return Family::relative;
  if (offered<T>[POSLAB_BIAS]) return Family::bias;
  if (offered<T>[POSLAB_TRANSFORM]) return Family::rotary;
  return offered<T>[POSLAB_ENCODE] ? Family::additive : Family::none;
}

/// Runs `Work::template forward<S>` or `gradient<S>` for the scalar that the call names.
template <class T, class Work>
struct Entry {
  static int32_t forward(const void* self, const poslab_call* call, poslab_error* error) {
    return run(call, error, [&](const poslab_call& known, auto scalar) {
      Work::template forward<decltype(scalar)>(*static_cast<const Instance<T>*>(self), known);
    });
  }
  static int32_t gradient(const void* self, const poslab_call* call, poslab_error* error) {
    return run(call, error, [&](const poslab_call& known, auto scalar) {
      Work::template gradient<decltype(scalar)>(*static_cast<const Instance<T>*>(self), known);
    });
  }
  static constexpr poslab_operation_pair pair{forward, gradient};

 private:
  template <class Body>
  static int32_t run(const poslab_call* call, poslab_error* error, Body body) {
    return guarded(error, [&] {
      const poslab_call known = within_size(*call);
      if (known.scalar == POSLAB_F32)
        body(known, float{});
      else if (known.scalar == POSLAB_F64)
        body(known, double{});
      else
        malformed_call(text("the scalar type ", known.scalar, " is unknown"));
    });
  }
};

template <class T, Gradients gradients>
constexpr std::array<poslab_operation_pair, POSLAB_OPERATION_COUNT> operations_of() {
  std::array<poslab_operation_pair, POSLAB_OPERATION_COUNT> result{};
  if constexpr (members::encode::named_in<T>) result[POSLAB_ENCODE] = Entry<T, Encode<T, gradients>>::pair;
  if constexpr (members::rotate::named_in<T>) result[POSLAB_TRANSFORM] = Entry<T, Rotate<T>>::pair;
  if constexpr (members::transform::named_in<T>) result[POSLAB_TRANSFORM] = Entry<T, Transform<T, gradients>>::pair;
  if constexpr (members::bias::named_in<T>) result[POSLAB_BIAS] = Entry<T, Bias<T, gradients>>::pair;
  if constexpr (members::score::named_in<T>) result[POSLAB_SCORE] = Entry<T, Score<T, gradients>>::pair;
  if constexpr (members::mix::named_in<T>) result[POSLAB_MIX] = Entry<T, Mix<T, gradients>>::pair;
  return result;
}

template <class T, Gradients gradients>
inline constexpr auto operation_table = operations_of<T, gradients>();

template <class T>
std::uint32_t operations_of_variant(const Instance<T>& instance) {
  std::uint32_t bits = 0;
  for (int i = 0; i < POSLAB_OPERATION_COUNT; ++i)
    if (offered<T>[i] && instance.offers(static_cast<Operation>(i))) bits |= 1U << static_cast<unsigned>(i);
  return bits;
}

inline Model model_of(const poslab_model& given) {
  for (const std::int64_t extent : {given.model_width, given.heads, given.head_width})
    require(extent >= 1 && extent <= INT_MAX, "a model of width ", given.model_width, " with ", given.heads,
            " heads of width ", given.head_width, " is out of range");
  return {static_cast<int>(given.model_width), static_cast<int>(given.heads), static_cast<int>(given.head_width),
          given.train_length};
}

/// What the host is told of a variant; refuses what does not go together.
template <class T>
poslab_instance description_of(const Instance<T>& instance) {
  poslab_instance result{};
  instance.describe(result);
  result.operations = operations_of_variant(instance);
  if constexpr (members::rotate::named_in<T>)
    if (result.operations >> POSLAB_TRANSFORM & 1U) Rotate<T>::check(instance);
  const bool has_bias = (result.operations >> POSLAB_BIAS & 1U) != 0;
  require(!result.score_writes_logits || !has_bias,
          "a scheme whose score writes the logits anew offers no bias: no gradient would reach what the bias added");
  return result;
}

template <class T>
int32_t create(const poslab_value* values, const poslab_model* model, poslab_instance* out, poslab_error* error) {
  return guarded(error, [&] {
    struct Owner {  // <memory> takes longer to compile than all of the SDK
      Instance<T>* instance;
      ~Owner() { delete instance; }
    } owner{new Instance<T>(values, model_of(within_size(*model)))};
    poslab_instance told = description_of(*owner.instance);
    told.size = out->size;
    std::memcpy(static_cast<void*>(out), &told, std::min<std::size_t>(out->size, sizeof told));
    owner.instance = nullptr;
  });
}

template <class T>
void destroy(void* self) {
  delete static_cast<Instance<T>*>(self);
}

/// The table of a scheme; `gradients` as POSLAB_SCHEME has it, or derived by the tape throughout.
template <class T, Gradients gradients = Gradients::by_hand>
consteval poslab_plugin table() {
  static_assert(derivable<T>,
                "a scheme is a plain struct that is not final: poslab finds its members by deriving from it");
  if constexpr (derivable<T>) static_assert(well_formed<T>);
  poslab_plugin result{};
  result.size = sizeof result;
  result.major = POSLAB_MAJOR;
  result.minor = POSLAB_MINOR;
  result.id = T::card.id;
  result.title = T::card.title;
  result.version = T::card.version;
  result.paper = T::card.paper;
  result.summary = T::card.summary;
  result.formula = T::card.formula;
  result.used_in = T::card.used_in;
  result.family = static_cast<std::int32_t>(family_of<T>());
  result.least_axes = T::card.least_axes;
  result.most_axes = T::card.most_axes;
  result.real_positions = T::card.real_positions;
  result.parameters = ParameterTable<T>::pointers.data();
  result.parameter_count = static_cast<std::int64_t>(ParameterTable<T>::count);
  result.create = create<T>;
  result.destroy = destroy<T>;
  result.operations = operation_table<T, gradients>.data();
  result.operation_count = POSLAB_OPERATION_COUNT;
  return result;
}

}  // namespace poslab::sdk
