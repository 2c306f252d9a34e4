// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

#include <limits>

namespace poslab::results {
namespace {

std::size_t count(const Places& places) {
  std::size_t count = 1;
  for (const auto& list : places) count *= list.size();
  return count;
}

// Calls visit(index in the box) for every place, row-major.
template <class Visit>
void for_each_place(const Places& places, const Box& box, const Visit& visit) {
  std::vector<std::size_t> index(places.size(), 0);
  for (std::size_t left = count(places); left > 0; --left) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < places.size(); ++axis)
      flat = flat * box.extent[axis] + (places[axis][index[axis]] - box.start[axis]);
    visit(flat);
    for (std::size_t axis = places.size(); axis-- > 0;) {
      if (++index[axis] < places[axis].size()) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

Box box_around(const Places& places) {
  Box box;
  for (const auto& list : places) {
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

std::vector<double> spread(const std::vector<double>& values, const Places& places, const Box& box) {
  if (values.size() == h5::size_of(box.extent)) return values;
  std::vector<double> block(h5::size_of(box.extent), std::numeric_limits<double>::quiet_NaN());
  auto value = values.begin();
  for_each_place(places, box, [&](std::size_t flat) { block[flat] = *value++; });
  return block;
}

std::vector<double> gather(const std::vector<double>& block, const Places& places, const Box& box) {
  if (block.size() == count(places)) return block;
  std::vector<double> values;
  values.reserve(count(places));
  for_each_place(places, box, [&](std::size_t flat) { values.push_back(block[flat]); });
  return values;
}

}  // namespace poslab::results
