// SPDX-License-Identifier: Apache-2.0
// Between the datasets of a golden file and the arrays of a call.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "facts.hpp"
#include "poslab/base/array.hpp"

namespace poslab::golden {

/// What we get for one output dataset: extents and numbers.
struct Numbers {
  std::vector<Index> shape;
  std::vector<double> numbers;
};

/// The shape up to extents of 1, which golden files and our arrays add or leave out as they please.
inline std::vector<Index> without_ones(const std::vector<Index>& shape) {
  std::vector<Index> rest;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(rest), [](Index extent) { return extent != 1; });
  return rest;
}

/// The dataset as an array of the given shape; extents of 1 may be missing or added.
template <class S>
base::Array<S> shaped(const Dataset& dataset, int rank, const std::array<Index, base::max_rank>& shape,
                      const std::string& name) {
  const std::vector<Index> wanted(shape.begin(), shape.begin() + rank);
  if (without_ones(dataset.shape) != without_ones(wanted))
    throw Unknown("\"" + name + "\" does not have the shape that is needed");
  base::Array<S> array(rank, shape);
  std::transform(dataset.numbers.begin(), dataset.numbers.end(), array.data(),
                 [](double x) { return static_cast<S>(x); });
  return array;
}

template <class S>
base::Array<S> transposed(const Dataset& dataset) {
  const Index rows = dataset.shape.at(0), columns = dataset.shape.at(1);
  base::Array<S> array({columns, rows});
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      array(j, i) = static_cast<S>(dataset.numbers[static_cast<std::size_t>(i * columns + j)]);
  return array;
}

template <class S>
Numbers numbers_of(const base::Array<S>& array) {
  Numbers out;
  for (int axis = 0; axis < array.rank(); ++axis) out.shape.push_back(array.extent(axis));
  out.numbers.assign(array.flat().begin(), array.flat().end());
  return out;
}

}  // namespace poslab::golden
