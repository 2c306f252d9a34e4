// SPDX-License-Identifier: Apache-2.0
#include "gradients/gradients.hpp"

#include <fmt/format.h>

namespace poslab::check {
namespace {

constexpr Index keys = 6, first_query = 1, queries = 4;

}  // namespace

const std::vector<Point>& gradient_points() {
  static const std::vector<Point> points{{"drawn weights", WeightScale::drawn, 1, 0},
                                         {"normal weights", WeightScale::normal, 1, 40},
                                         {"large weights", WeightScale::large, 3, 300},
                                         {"zero weights and contents", WeightScale::zero, 0, 0},
                                         {"zero contents", WeightScale::normal, 0, 10}};
  return points;
}

Inputs inputs_at(const Instance& instance, const Point& point, int side) {
  const std::string key = fmt::format("gradient/{}/{}", point.name, side);
  Inputs inputs =
      inputs_of(instance, point.reach == 0 ? consecutive(instance, keys) : scattered(instance, keys, point.reach, key),
                key, point.weights);
  inputs.contents = normal_contents(instance, keys, key, point.content);
  inputs.first_query = first_query;
  inputs.queries = queries;
  return inputs;
}

std::vector<int> sides_of(Operation operation) {
  if (operation == Operation::transform) return {POSLAB_QUERY, POSLAB_KEY};
  return {POSLAB_QUERY};
}

}  // namespace poslab::check
