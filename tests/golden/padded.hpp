// SPDX-License-Identifier: Apache-2.0
// Datasets that become part of a larger array of ours: {"padded": dataset, "axes": ..., "factor": ..., "through": ...}.
// A scheme that makes gates from the layer's input by its weights is given an input that is the unit vector e_n at
// position n; then column n of a weight is what position n gets, and given gates can be written there.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace poslab::golden {

/// Which number gives y under the function: finite also where y is at the end of its range.
inline double undone(const std::string& function, double y) {
  const double largest = 800;  // the sigmoid of it is 1, that of minus it 0, in float64
  const auto finite = [&](double x) { return std::min(std::max(x, -largest), largest); };
  if (function.empty()) return y;
  if (function == "sigmoid") return finite(std::log(y) - std::log1p(-y));
  if (function == "log_sigmoid") return finite(y - std::log1p(-std::exp(y)));
  throw Unknown("the table's function \"" + function + "\" is not known");
}

/// The dataset with its axes in another order, some of them joined: [[0, 2], 1] makes [a, b, c] to [a c, b].
inline Dataset rearranged(const Dataset& dataset, const Json& order) {
  if (order.is_null()) return dataset;
  std::vector<std::vector<std::size_t>> groups;
  for (const Json& group : order)
    groups.push_back(group.is_array() ? group.get<std::vector<std::size_t>>()
                                      : std::vector<std::size_t>{group.get<std::size_t>()});
  std::vector<std::size_t> axes;  // of the dataset, in the order in which the result runs through them
  Dataset out = dataset;
  out.shape.clear();
  for (const auto& group : groups) {
    Index extent = 1;
    for (const std::size_t axis : group) extent *= dataset.shape.at(axis), axes.push_back(axis);
    out.shape.push_back(extent);
  }
  for (std::size_t at = 0; at < out.numbers.size(); ++at) {
    std::vector<Index> index(dataset.shape.size());
    Index rest = static_cast<Index>(at), from = 0;
    for (std::size_t a = axes.size(); a-- > 0; rest /= dataset.shape[axes[a]])
      index[axes[a]] = rest % dataset.shape[axes[a]];
    for (std::size_t axis = 0; axis < index.size(); ++axis) from = from * dataset.shape[axis] + index[axis];
    out.numbers[at] = dataset.numbers.at(static_cast<std::size_t>(from));
  }
  return out;
}

/// The dataset in the leading corner of an array of zeros.
template <class S>
base::Array<S> padded(const Facts& facts, const Json& spec, int rank, const std::array<Index, base::max_rank>& shape) {
  const auto name = spec.at("padded").get<std::string>();
  Dataset dataset = rearranged(facts.dataset(name), spec.value("axes", Json()));
  dataset.shape.resize(static_cast<std::size_t>(std::max<int>(rank, static_cast<int>(dataset.shape.size()))), 1);
  if (static_cast<int>(dataset.shape.size()) != rank) throw Unknown("\"" + name + "\" has too many axes");
  const double factor = spec.contains("factor") ? facts.number(spec["factor"].get<std::string>()) : 1;
  const std::string through = spec.value("through", "");
  base::Array<S> array(rank, shape);
  for (std::size_t at = 0; at < dataset.numbers.size(); ++at) {
    Index rest = static_cast<Index>(at), entry = 0, step = 1;
    for (int axis = rank; axis-- > 0;) {
      const auto a = static_cast<std::size_t>(axis);
      if (dataset.shape[a] > shape[a]) throw Unknown("\"" + name + "\" is larger than what it is to be part of");
      entry += rest % dataset.shape[a] * step;
      rest /= dataset.shape[a];
      step *= shape[a];
    }
    array.data()[entry] = static_cast<S>(undone(through, factor * dataset.numbers[at]));
  }
  return array;
}

}  // namespace poslab::golden
