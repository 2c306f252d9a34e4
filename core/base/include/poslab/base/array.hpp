// SPDX-License-Identifier: Apache-2.0
// Dense row-major arrays of rank 0 to 4: `Array` owns 64-byte aligned memory, `View` refers to an array that another
// owns.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace poslab::base {

/// The product of numbers that are not negative; nothing where one of them is, or the product of those that are not 0
/// exceeds `most`.
std::optional<std::int64_t> checked_product(std::span<const std::int64_t> factors,
                                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// The bytes of a dense array of this shape. Throws std::bad_array_new_length, which is a std::bad_alloc, where no
/// memory could have so many.
std::size_t checked_bytes(std::span<const std::int64_t> shape, std::size_t bytes_each);

using Index = std::int64_t;
inline constexpr int max_rank = 4;

/// An index, as the standard library's containers want it: v[at(i)].
constexpr std::size_t at(Index i) {
  assert(i >= 0);
  return static_cast<std::size_t>(i);
}

/// Refers to a dense row-major array; copying a view copies no numbers. `View<const double>` cannot write. That of
/// nothing has no numbers; one of rank 0 has one.
template <class S>
struct View {
  S* data = nullptr;
  int rank = 0;
  std::array<Index, max_rank> shape{0, 1, 1, 1};  // extents beyond `rank` are 1, but that of nothing begins with 0

  View() = default;
  View(S* numbers, std::initializer_list<Index> extents)
      : data(numbers), rank(static_cast<int>(extents.size())), shape{1, 1, 1, 1} {
    std::size_t axis = 0;
    for (Index extent : extents) shape[axis++] = extent;
  }
  View(S* numbers, int rank_, std::array<Index, max_rank> shape_) : data(numbers), rank(rank_), shape(shape_) {}
  operator View<const S>() const requires(!std::is_const_v<S>) { return {data, rank, shape}; }

  Index size() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
  bool empty() const { return size() == 0; }
  std::span<S> flat() const { return {data, static_cast<std::size_t>(size())}; }
  S* begin() const { return data; }
  S* end() const { return data + size(); }

  S& operator()(Index i) const { return data[i]; }
  S& operator()(Index i, Index j) const { return data[i * shape[1] + j]; }
  S& operator()(Index i, Index j, Index k) const { return data[(i * shape[1] + j) * shape[2] + k]; }
  /// Numbers in one step along the first axis.
  Index stride() const { return shape[1] * shape[2] * shape[3]; }
  /// The rank-1-lower array at index `i` of the first axis.
  View operator[](Index i) const { return {data + i * stride(), rank - 1, {shape[1], shape[2], shape[3], 1}}; }
  /// Rows `first` .. `first + count - 1` along the first axis, same rank.
  View rows(Index first, Index count) const {
    return {data + first * stride(), rank, {count, shape[1], shape[2], shape[3]}};
  }
};

/// sum += summand, number by number.
template <class S>
void add_to(View<S> sum, View<const S> summand) {
  for (Index i = 0; i < sum.size(); ++i) sum.data[i] += summand.data[i];
}

/// At least that many bytes, 64-byte aligned; large blocks on huge pages, where the system has them, since the page
/// look-ups of one pass over a large array cost as much as its numbers. Throws std::bad_alloc.
void* take_memory(std::size_t bytes);
void give_back_memory(void* memory);

/// Owns a dense row-major array, 64-byte aligned, zero-filled; by default, and after it was moved from, one of no
/// numbers. Copies only by `copy()`. Extents that no memory holds, or that are negative, throw std::bad_alloc.
template <class S>
class Array {
 public:
  Array() = default;
  explicit Array(std::initializer_list<Index> extents) : Array(View<S>(nullptr, extents)) {}
  Array(int rank, std::array<Index, max_rank> shape) : Array(View<S>(nullptr, rank, shape)) {}
  Array(Array&& other) noexcept : memory_(std::move(other.memory_)), view_(std::exchange(other.view_, {})) {}
  Array& operator=(Array&& other) noexcept {
    memory_ = std::move(other.memory_);
    view_ = std::exchange(other.view_, {});
    return *this;
  }

  View<S> view() { return view_; }
  View<const S> view() const { return view_; }
  operator View<S>() { return view_; }
  operator View<const S>() const { return view_; }

  Array copy() const {
    Array twin(view_.rank, view_.shape);
    for (Index i = 0; i < view_.size(); ++i) twin.view_.data[i] = view_.data[i];
    return twin;
  }
  void fill(S value) {
    for (S& number : view_.flat()) number = value;
  }

  int rank() const { return view_.rank; }
  Index extent(int axis) const { return view_.shape[at(axis)]; }
  Index size() const { return view_.size(); }
  S* data() { return view_.data; }
  const S* data() const { return view_.data; }
  std::span<S> flat() { return view_.flat(); }
  std::span<const S> flat() const { return view().flat(); }
  S& operator()(Index i) { return view_(i); }
  S& operator()(Index i, Index j) { return view_(i, j); }
  S& operator()(Index i, Index j, Index k) { return view_(i, j, k); }
  const S& operator()(Index i) const { return view_(i); }
  const S& operator()(Index i, Index j) const { return view_(i, j); }
  const S& operator()(Index i, Index j, Index k) const { return view_(i, j, k); }

 private:
  explicit Array(View<S> shape) : view_(shape) {
    memory_.reset(static_cast<S*>(take_memory(checked_bytes(view_.shape, sizeof(S)) + sizeof(S))));
    for (Index i = 0; i < view_.size(); ++i) memory_.get()[i] = S{};
    view_.data = memory_.get();
  }
  struct Free {
    void operator()(S* memory) const { give_back_memory(memory); }
  };
  std::unique_ptr<S, Free> memory_;
  View<S> view_;
};

}  // namespace poslab::base
