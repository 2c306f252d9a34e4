// SPDX-License-Identifier: Apache-2.0
#include "h5/box.hpp"

#include <limits>

namespace poslab::results {
namespace {

std::size_t count(const Indices& indices) {
  std::size_t count = 1;
  for (const auto& list : indices) count *= list.size();
  return count;
}

// Calls visit(flat index in the box) for every point, row-major.
template <class Visit>
void for_each_point(const Indices& indices, const Box& box, const Visit& visit) {
  std::vector<std::size_t> step(indices.size(), 0);  // along each dimension
  for (std::size_t left = count(indices); left > 0; --left) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < indices.size(); ++axis)
      flat = flat * box.extent[axis] + (indices[axis][step[axis]] - box.start[axis]);
    visit(flat);
    for (std::size_t axis = indices.size(); axis-- > 0;) {
      if (++step[axis] < indices[axis].size()) break;
      step[axis] = 0;
    }
  }
}

}  // namespace

Box box_around(const Indices& indices) {
  Box box;
  for (const auto& list : indices) {
    box.start.push_back(list.front());
    box.extent.push_back(list.back() - list.front() + 1);
  }
  return box;
}

Box in_row(std::size_t row, const Box& box) {
  Box result{{row}, {1}};
  result.start.insert(result.start.end(), box.start.begin(), box.start.end());
  result.extent.insert(result.extent.end(), box.extent.begin(), box.extent.end());
  return result;
}

std::vector<double> spread(const std::vector<double>& values, const Indices& indices, const Box& box) {
  if (values.size() == h5::size_of(box.extent)) return values;
  std::vector<double> block(h5::size_of(box.extent), std::numeric_limits<double>::quiet_NaN());
  auto value = values.begin();
  for_each_point(indices, box, [&](std::size_t flat) { block[flat] = *value++; });
  return block;
}

std::vector<double> gather(const std::vector<double>& block, const Indices& indices, const Box& box) {
  if (block.size() == count(indices)) return block;
  std::vector<double> values;
  values.reserve(count(indices));
  for_each_point(indices, box, [&](std::size_t flat) { values.push_back(block[flat]); });
  return values;
}

}  // namespace poslab::results
