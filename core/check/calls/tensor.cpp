// SPDX-License-Identifier: Apache-2.0
#include "calls/tensor.hpp"

#include <algorithm>

namespace poslab::check {

Tensor Tensor::rows(int axis, Index first, Index count) const {
  Tensor part = *this;
  part.shape[base::at(axis)] = count;
  part.numbers.clear();
  Index before = 1, after = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) (static_cast<int>(a) < axis ? before : after) *= shape[a];
  const Index row = after / std::max<Index>(shape[base::at(axis)], 1);
  for (Index b = 0; b < before; ++b) {
    const auto from = numbers.begin() + b * after + first * row;
    part.numbers.insert(part.numbers.end(), from, from + count * row);
  }
  return part;
}

Tensor normal_tensor(std::initializer_list<Index> extents, std::string_view key, double factor) {
  Tensor tensor(extents);
  const base::Stream stream(key);
  for (std::size_t i = 0; i < tensor.numbers.size(); ++i) tensor.numbers[i] = factor * stream.normal(i);
  return tensor;
}

double root_mean_square(const std::vector<double>& numbers) {
  double squares = 0, count = 0;
  for (const double x : numbers)
    if (std::isfinite(x)) squares += x * x, ++count;
  return count > 0 ? std::sqrt(squares / count) : 0;
}

double largest_magnitude(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace poslab::check
