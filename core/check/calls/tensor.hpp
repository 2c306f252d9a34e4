// SPDX-License-Identifier: Apache-2.0
// An array of a call, always in double: a float keeps its value on the way to double and back.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"

namespace poslab::check {

using base::Index;

struct Tensor {
  int rank = 0;
  std::array<Index, base::max_rank> shape{1, 1, 1, 1};
  std::vector<double> numbers;

  Tensor() = default;
  explicit Tensor(std::initializer_list<Index> extents, double value = 0) {
    for (const Index extent : extents) shape[base::at(rank++)] = extent;
    numbers.assign(static_cast<std::size_t>(size()), value);
  }
  Index size() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
  bool exists() const { return rank > 0 || !numbers.empty(); }  // of rank 0 there is one number

  double& at(Index i, Index j = 0, Index k = 0) { return numbers[base::at(offset(i, j, k))]; }
  double at(Index i, Index j = 0, Index k = 0) const { return numbers[base::at(offset(i, j, k))]; }

  /// Rows first .. first + count - 1 along `axis`.
  Tensor rows(int axis, Index first, Index count) const;

  bool finite() const {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
  }

 private:
  Index offset(Index i, Index j, Index k) const {
    if (rank == 1) return i;
    return rank == 2 ? i * shape[1] + j : (i * shape[1] + j) * shape[2] + k;
  }
};

/// Standard normal numbers times `factor`, others for every `key`.
Tensor normal_tensor(std::initializer_list<Index> extents, std::string_view key, double factor = 1);

/// The root of the mean square of all finite numbers; 0 for none.
double root_mean_square(const std::vector<double>& numbers);
double largest_magnitude(const std::vector<double>& numbers);

}  // namespace poslab::check
