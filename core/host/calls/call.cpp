// SPDX-License-Identifier: Apache-2.0
#include "calls/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "calls/finite.hpp"
#include "calls/outcome.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

constexpr std::uintptr_t alignment = 64;  // as plugin.h promises

std::string shape_text(std::span<const Index> extents) { return fmt::format("[{}]", fmt::join(extents, ", ")); }

// The index of number `i` of a row-major array, along each of its axes.
std::vector<Index> index_of(const poslab_view& view, std::size_t i, Index first_row) {
  std::vector<Index> index(static_cast<std::size_t>(view.rank));
  auto rest = static_cast<Index>(i);
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = rest % view.shape[axis];
    rest /= view.shape[axis];
  }
  if (!index.empty()) index[0] += first_row;
  return index;
}

// "3", or "(3, 1)" where positions have several axes; `other`: subtracted from it.
std::string position_text(const poslab_view& positions, Index i, const double* other = nullptr) {
  const Index axes = positions.shape[1];
  std::string text;
  for (Index axis = 0; axis < axes; ++axis)
    text += (axis ? ", " : "") +
            base::shortest(static_cast<const double*>(positions.data)[i * axes + axis] - (other ? other[axis] : 0));
  return axes == 1 ? text : "(" + text + ")";
}

template <class S>
std::span<const S> numbers_of(const poslab_view& view) {
  const Index count = view.shape[0] * view.shape[1] * view.shape[2] * view.shape[3];
  return {static_cast<const S*>(view.data), static_cast<std::size_t>(count)};
}

}  // namespace

template <class S>
void Crossing<S>::wrap(const char* name_, View<const S> array) {
  name = name_;
  auto* data = const_cast<S*>(array.data);  // inputs: the boundary says that they must not be written
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0 && array.size() > 0) {
    copy = base::Array<S>(array.rank, array.shape);
    std::copy(array.begin(), array.end(), copy.data());
    original = View<S>(data, array.rank, array.shape);
    data = copy.data();
  }
  view = {data, std::is_same_v<S, float> ? POSLAB_F32 : POSLAB_F64, array.rank, {}};
  std::copy(array.shape.begin(), array.shape.end(), view.shape);
}

template <class S>
void Crossing<S>::give_back() {
  if (original.data) std::copy(copy.flat().begin(), copy.flat().end(), original.begin());
}

template <class S>
Call<S>::Call(const Scheme& scheme, Operation operation, const Context& context, Index layer)
    : scheme_(scheme), operation_(operation) {
  fields.size = sizeof fields;
  fields.scalar = std::is_same_v<S, float> ? POSLAB_F32 : POSLAB_F64;
  fields.causal = context.causal ? 1 : 0;
  fields.length = context.length;
  fields.train_length = context.train_length;
  fields.scale = 1;
  fields.layer = layer;
  if (!scheme.has(operation)) throw wrong_call(where(), "the scheme does not offer it");
}

template <class S>
void Call<S>::positions(Positions positions) {
  scheme_.require_positions(positions);
  positions_[0].wrap("positions", positions);
  fields.positions = &positions_[0].view;
}

template <class S>
void Call<S>::tile(const Tile& tile) {
  scheme_.require_positions(tile.query_positions);
  scheme_.require_positions(tile.key_positions);
  if (tile.query_positions.shape[1] != tile.key_positions.shape[1])
    throw wrong_call(where(), "query and key positions differ in their number of axes");
  positions_[0].wrap("query_positions", tile.query_positions);
  positions_[1].wrap("key_positions", tile.key_positions);
  fields.query_positions = &positions_[0].view;
  fields.key_positions = &positions_[1].view;
  fields.first_query = tile.first_query;
}

template <class S>
void Call<S>::weights(std::span<const View<const S>> views) {
  const std::vector<WeightInfo>& infos = scheme_.weights();
  if (views.size() != infos.size())
    throw wrong_call(where(), fmt::format("{} weights were given, but the scheme has {}", views.size(), infos.size()));
  weights_.resize(views.size());
  weight_pointers_.reserve(views.size());
  for (std::size_t w = 0; w < views.size(); ++w) {
    if (views[w].rank != infos[w].rank || views[w].shape != infos[w].shape || !views[w].data)
      throw wrong_call(where(), fmt::format("weight \"{}\" does not have its declared shape", infos[w].name));
    weights_[w].wrap("weight", views[w]);
    weight_pointers_.push_back(&weights_[w].view);
  }
  fields.weights = weight_pointers_.data();
  fields.weight_count = static_cast<std::int64_t>(views.size());
}

template <class S>
void Call<S>::weight_gradients(std::span<const View<S>> views) {
  const std::vector<WeightInfo>& infos = scheme_.weights();
  if (views.empty()) return;  // none is wanted
  if (views.size() != infos.size())
    throw wrong_call(where(), fmt::format("{} weight gradients for {} weights", views.size(), infos.size()));
  weight_gradients_.resize(views.size());
  weight_gradient_pointers_.reserve(views.size());
  for (std::size_t w = 0; w < views.size(); ++w) {
    weight_gradient_pointers_.push_back(nullptr);
    if (!views[w].data) continue;
    if (views[w].rank != infos[w].rank || views[w].shape != infos[w].shape)
      throw wrong_call(where(), fmt::format("the gradient of weight \"{}\" does not have its shape", infos[w].name));
    weight_gradients_[w].wrap("the gradient of weight ", views[w]);
    weight_gradients_[w].of = infos[w].name.c_str();
    weight_gradient_pointers_.back() = &weight_gradients_[w].view;
  }
  fields.weight_gradients = weight_gradient_pointers_.data();
}

template <class S>
const poslab_view* Call<S>::input(const char* name, View<const S> array, std::initializer_list<Index> shape) {
  require_shape(name, array, shape);
  Crossing<S>& slot = inputs_[input_count_++];
  slot.wrap(name, array);
  return &slot.view;
}

template <class S>
const poslab_view* Call<S>::output(const char* name, View<S> array, std::initializer_list<Index> shape) {
  require_shape(name, array, shape);
  Crossing<S>& slot = outputs_[output_count_++];
  slot.wrap(name, array);
  return &slot.view;
}

template <class S>
const poslab_view* Call<S>::optional_input(const char* name, View<const S> array, std::initializer_list<Index> shape) {
  return array.data ? input(name, array, shape) : nullptr;
}

template <class S>
const poslab_view* Call<S>::optional_output(const char* name, View<S> array, std::initializer_list<Index> shape) {
  return array.data ? output(name, array, shape) : nullptr;
}

template <class S>
void Call<S>::forward(const poslab_plugin& table, const void* self) {
  run(table.operations[static_cast<int>(operation_)].forward, self);
}

template <class S>
void Call<S>::gradient(const poslab_plugin& table, const void* self) {
  is_gradient_ = true;
  const poslab_operation function = table.operations[static_cast<int>(operation_)].gradient;
  if (!function) throw wrong_call(where(), "the plugin offers no gradient of it");
  run(function, self);
}

template <class S>
std::string Call<S>::where() const {
  return fmt::format("scheme \"{}\", {}{}", scheme_.info().id, is_gradient_ ? "gradient of " : "", to_text(operation_));
}

template <class S>
void Call<S>::require_shape(const char* name, const View<const S>& array, std::initializer_list<Index> shape) const {
  const auto extents = std::span<const Index>(array.shape).first(static_cast<std::size_t>(array.rank));
  const bool same = std::equal(extents.begin(), extents.end(), shape.begin(), shape.end());
  if (!same)
    throw wrong_call(where(), fmt::format("{} has the shape {}, but {} is needed", name, shape_text(extents),
                                          shape_text({shape.begin(), shape.size()})));
  if (!array.data && array.size() > 0) throw wrong_call(where(), fmt::format("{} is missing", name));
}

// Where an entry of the output of a forward function is, in the terms of the field: "offset -2 (query 3, key 1), head
// 0". `row`: which of the positions that the call was given.
template <class S>
std::string Call<S>::place_of(const std::vector<Index>& index, Index row) const {
  if (operation_ == Operation::bias || operation_ == Operation::score) {
    const poslab_view &queries = positions_[0].view, &keys = positions_[1].view;
    const double* query = static_cast<const double*>(queries.data) + index[1] * queries.shape[1];
    return fmt::format("offset {} (query {}, key {}), head {}", position_text(keys, index[2], query),
                       position_text(queries, index[1]), position_text(keys, index[2]), index[0]);
  }
  if (operation_ == Operation::encode)
    return fmt::format("position {} (token {}), channel {}", position_text(positions_[0].view, row), index[0],
                       index[1]);
  return fmt::format("position {}, head {}, channel {}", position_text(positions_[0].view, index[1]), index[0],
                     index[2]);
}

template <class S>
void Call<S>::require_finite(const Crossing<S>& written) const {
  const bool may_be_infinite = scheme_.claims(POSLAB_MAY_BE_INFINITE) && !is_gradient_;
  const std::span<const S> numbers = numbers_of<S>(written.view);
  if (all_finite(numbers, may_be_infinite)) return;
  const std::size_t i = first_not_finite(numbers, may_be_infinite);
  const std::vector<Index> index = index_of(written.view, i, first_row);
  const std::string array = fmt::format("{}: {}{}", where(), written.name, written.of);
  const auto number = static_cast<double>(numbers[i]);
  if (is_gradient_) throw data::not_finite(array, index, number);
  throw data::not_finite(array, place_of(index, index[0] - first_row), number);
}

template <class S>
void Call<S>::run(poslab_operation function, const void* self) {
  expect_ok([&](poslab_error* error) { return function(self, &fields, error); }, [&] { return where(); });
  const auto take = [&](Crossing<S>& written) {
    written.give_back();
    if (written.view.data) require_finite(written);
  };
  for (std::size_t i = 0; i < output_count_; ++i) take(outputs_[i]);
  for (Crossing<S>& gradient : weight_gradients_) take(gradient);
}

template struct Crossing<float>;
template struct Crossing<double>;
template class Call<float>;
template class Call<double>;

}  // namespace poslab::host
