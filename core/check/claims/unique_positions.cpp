// SPDX-License-Identifier: Apache-2.0
// Which positions below n are held against each other, where there are too many for all.
#include <algorithm>
#include <cmath>

#include "claims/unique_positions.hpp"

namespace poslab::check {
using base::at;
namespace {

// How many points are tried: all, if there are no more.
constexpr Index third_of_points = 128, max_points = 3 * third_of_points;
// 2^24: beyond, even an index over the context's length has neighbours that are hardly further apart than `collision`.
constexpr double last_tried = 16777216;

// 0 .. end - 1: all; or the first, the last, round ones (two of them are apart by what a period may be), and some
// between.
std::vector<double> numbers_up_to(double end) {
  std::vector<double> numbers;
  for (Index i = 0; i < max_points && static_cast<double>(i) < end; ++i) numbers.push_back(static_cast<double>(i));
  if (end <= static_cast<double>(max_points)) return numbers;
  numbers.resize(at(third_of_points));
  for (Index i = 0; i < third_of_points; ++i) numbers.push_back(end - 1 - static_cast<double>(i));
  const base::Stream stream("unique/positions");
  for (Index i = 0; i < third_of_points; ++i)
    numbers.push_back(std::floor(stream.uniform(static_cast<std::uint64_t>(2 * third_of_points + i)) * end));
  for (double power = 1; power < end; power *= 2) numbers.push_back(power);
  for (double power = 1; power < end; power *= 10)
    for (const double times : {1.0, 2.0, 5.0})
      if (times * power < end) numbers.push_back(times * power);
  numbers.push_back(std::floor(end / 2));
  return numbers;
}

// Points of which each coordinate lies below n: all of a small grid; else the numbers above, with others drawn for the
// axes after the first.
std::vector<std::vector<double>> points_up_to(int axes, double end) {
  std::vector<std::vector<double>> points;
  if (std::pow(end, axes) <= static_cast<double>(max_points)) {
    const auto side = static_cast<Index>(end);
    Index count = 1;
    for (int a = 0; a < axes; ++a) count *= side;
    for (Index n = 0; n < count; ++n) {
      std::vector<double> point;
      for (Index rest = n, a = 0; a < axes; ++a, rest /= side) point.push_back(static_cast<double>(rest % side));
      points.push_back(std::move(point));
    }
    return points;
  }
  const base::Stream stream("unique/other axes");
  std::uint64_t drawn = 0;
  for (const double number : numbers_up_to(end)) {
    std::vector<double> point{number};
    for (int a = 1; a < axes; ++a) point.push_back(std::floor(stream.uniform(drawn++) * std::min(end, 16.0)));
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

double end_of_positions(double n) { return std::min(std::ceil(n), last_tried); }

Tensor positions_up_to(const Instance& instance, double end) {
  std::vector<std::vector<double>> points = points_up_to(instance.axes(), end);
  std::erase_if(points, [&](const std::vector<double>& point) {
    return std::any_of(point.begin(), point.end(),
                       [&](double p) { return instance.scheme().why_not_positions(p, p).has_value(); });
  });
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  Tensor positions({static_cast<Index>(points.size()), instance.axes()});
  for (Index i = 0; i < positions.shape[0]; ++i)
    for (Index a = 0; a < positions.shape[1]; ++a) positions.at(i, a) = points[at(i)][at(a)];
  return positions;
}

}  // namespace poslab::check
