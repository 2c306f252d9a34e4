// SPDX-License-Identifier: Apache-2.0
// A scheme attached to a model through its C table alone, without a library or a host: what the SDK's tests call.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "poslab/scheme.hpp"

namespace check {

/// An array and its view.
template <class S>
struct Array {
  std::vector<S> numbers;
  poslab_view view{};

  Array() = default;
  explicit Array(std::vector<std::int64_t> shape, S value = 0) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    numbers.assign(static_cast<std::size_t>(size), value);
    shape_as(std::move(shape));
  }
  Array(std::vector<std::int64_t> shape, std::vector<S> given) : numbers(std::move(given)) {
    shape_as(std::move(shape));
  }
  Array(const Array& other) : numbers(other.numbers), view(other.view) { view.data = numbers.data(); }
  Array(Array&& other) noexcept : numbers(std::move(other.numbers)), view(other.view) { view.data = numbers.data(); }
  Array& operator=(Array other) noexcept {
    numbers = std::move(other.numbers);
    view = other.view;
    view.data = numbers.data();
    return *this;
  }

  S& operator()(std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) {
    const std::int64_t offset = view.rank == 1   ? i
                                : view.rank == 2 ? i * view.shape[1] + j
                                                 : (i * view.shape[1] + j) * view.shape[2] + k;
    return numbers.at(static_cast<std::size_t>(offset));
  }

  /// Numbers between -1 and 1 that look random: the golden ratio's multiples.
  Array& scatter(double seed) {
    double x = seed;
    for (S& number : numbers) {
      x = std::fmod(x + 0.6180339887498949, 1.0);
      number = static_cast<S>(2 * x - 1);
    }
    return *this;
  }

 private:
  void shape_as(std::vector<std::int64_t> shape) {
    view.data = numbers.data();
    view.scalar = std::is_same_v<S, float> ? POSLAB_F32 : POSLAB_F64;
    view.rank = static_cast<std::int32_t>(shape.size());
    for (std::size_t axis = 0; axis < 4; ++axis) view.shape[axis] = axis < shape.size() ? shape[axis] : 1;
  }
};

/// first, first + 1, ... as [N, 1].
inline Array<double> count_up(std::int64_t N, double first = 0) {
  Array<double> positions({N, 1});
  for (std::int64_t n = 0; n < N; ++n) positions(n) = first + static_cast<double>(n);
  return positions;
}

struct CallFailed : std::runtime_error {
  CallFailed(int status, const std::string& text) : std::runtime_error(text), code(status) {}
  int code;
};

/// One variant. Calls that fail throw CallFailed with the text of the error buffer.
class Attached {
 public:
  /// Numbers for parameters: reals, integers, indices of choices, flags; nan: unset.
  Attached(const poslab_plugin& table, int D, int H, const std::map<std::string, double>& set = {},
           const std::map<std::string, std::vector<double>>& lists = {})
      : table_(table) {
    std::vector<poslab_value> values(static_cast<std::size_t>(table.parameter_count));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const poslab_parameter& row = *table.parameters[i];
      poslab_value& value = values[i];
      const bool chosen = row.kind == POSLAB_CHOICE || row.kind == POSLAB_FLAG;
      const double fallback = chosen ? row.default_choice : row.default_number;
      const double number = set.count(row.name) ? set.at(row.name) : fallback;
      value.is_set =
          row.kind == POSLAB_LIST ? row.default_list != nullptr : !std::isnan(number) && !(chosen && number < 0);
      if (value.is_set && row.kind != POSLAB_LIST) {
        value.choice = chosen ? static_cast<std::int32_t>(number) : 0;
        value.integer = row.kind == POSLAB_INTEGER ? static_cast<std::int64_t>(number) : 0;
        value.real = number;
      }
      value.list = row.default_list;
      value.list_count = row.default_list_count;
      if (lists.count(row.name)) {
        value.is_set = 1;
        value.list = lists.at(row.name).data();
        value.list_count = static_cast<std::int64_t>(lists.at(row.name).size());
      }
    }
    poslab_model model{};
    model.size = sizeof model;
    model.model_width = D;
    model.heads = H;
    model.head_width = D / H;
    model.train_length = 64;
    instance.size = sizeof instance;
    poslab_error error{};
    const int status = table.create(values.data(), &model, &instance, &error);
    if (status != POSLAB_OK) throw CallFailed(status, error.text);
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() { table_.destroy(instance.self); }

  bool offers(poslab::Operation operation) const {
    return (instance.operations >> static_cast<int>(operation) & 1U) != 0;
  }

  /// Arrays of the declared weights' shapes, scattered.
  template <class S>
  std::vector<Array<S>> scattered_weights(double seed = 0.3) const {
    std::vector<Array<S>> weights;
    for (std::int64_t i = 0; i < instance.weight_count; ++i) {
      const poslab_weight& row = *instance.weights[i];
      weights.emplace_back(std::vector<std::int64_t>(row.shape, row.shape + row.rank));
      weights.back().scatter(seed + 0.1 * static_cast<double>(i));
    }
    return weights;
  }

  void run(poslab::Operation operation, const poslab_call& call, bool gradient = false) const {
    const poslab_operation_pair& pair = table_.operations[static_cast<int>(operation)];
    poslab_error error{};
    const int status = (gradient ? pair.gradient : pair.forward)(instance.self, &call, &error);
    if (status != POSLAB_OK) throw CallFailed(status, error.text);
  }

  poslab_instance instance{};

 private:
  const poslab_plugin& table_;
};

/// A call under way: views are set by name, weights as arrays.
template <class S>
struct Call {
  poslab_call fields{};
  std::vector<const poslab_view*> weight_views, weight_gradient_views;

  Call() {
    fields.size = sizeof fields;
    fields.scalar = std::is_same_v<S, float> ? POSLAB_F32 : POSLAB_F64;
    fields.length = 16;
    fields.train_length = 64;
    fields.scale = 1;
  }
  void weights(const std::vector<Array<S>>& arrays) { pass(arrays, weight_views, fields.weights); }
  void weight_gradients(const std::vector<Array<S>>& arrays) {
    pass(arrays, weight_gradient_views, fields.weight_gradients);
  }

 private:
  void pass(const std::vector<Array<S>>& arrays, std::vector<const poslab_view*>& views,
            const poslab_view* const*& to) {
    views.clear();
    for (const Array<S>& array : arrays) views.push_back(&array.view);
    fields.weight_count = static_cast<std::int64_t>(views.size());
    to = views.data();
  }
};

/// The table of a scheme that is exported nowhere.
template <class T, poslab::sdk::Gradients gradients = poslab::sdk::Gradients::by_hand>
inline constexpr poslab_plugin table_of = poslab::sdk::table<T, gradients>();

}  // namespace check
