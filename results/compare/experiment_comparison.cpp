// SPDX-License-Identifier: Apache-2.0
#include "compare/experiment_comparison.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "h5/box.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

// A statistical measure may still have a tolerance: that of its arithmetic, for the same draws.
bool is_unbounded(const data::Tolerance& t) {
  return t.statistical && t.absolute == 0 && t.relative == 0 && t.per_position == 0 && t.per_length == 0;
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// A relative tolerance of an infinite value is infinite: it would allow any difference.
bool is_within(double difference, double allowed) {
  return std::isfinite(difference) && std::abs(difference) <= allowed;
}

std::string apart(double difference, double allowed) {
  if (std::isnan(difference)) return "one of them is no number";
  if (std::isinf(difference)) return "they are infinitely far apart";
  return fmt::format("they are {:.3g} apart, {:.3g} is allowed", std::abs(difference), allowed);
}

std::vector<double> values(const h5::Handle& dataset, std::size_t row, const Indices& indices) {
  const Box box = box_around(indices), whole = in_row(row, box);
  return gather(h5::read_block(dataset, whole.start, whole.extent), indices, box);
}

}  // namespace

ExperimentComparison::ExperimentComparison(const StoredIndex& a, const StoredIndex& b, const std::string& id,
                                           Comparison& comparison)
    : id_(id), a_(a.file, id), b_(b.file, id), comparison_(comparison) {
  for (const data::MeasureInfo& measure : b_.measures())
    if (!a_.measure(measure.name))
      differ_in_declaration(id, fmt::format("the measure {} is in the second file only", measure.name));
  for (const data::MeasureInfo& measure : a_.measures())
    if (!b_.measure(measure.name))
      differ_in_declaration(id, fmt::format("the measure {} is in the first file only", measure.name));
}

void ExperimentComparison::compare(const std::vector<Pair>& pairs) {
  for (const data::MeasureInfo& measure : a_.measures()) {
    const data::MeasureInfo* other = b_.measure(measure.name);
    if (!other) continue;
    if (measure.dimensions != other->dimensions) {
      differ_in_declaration(measure.name, "has other dimensions", measure.name);
      continue;
    }
    const h5::Handle in_a = a_.open(measure), in_b = b_.open(*other);
    const StoredTolerance tolerance = a_.tolerance(measure);
    if (measure.dimensions.empty()) {
      const std::vector<double> column_a = h5::read_numbers(in_a), column_b = h5::read_numbers(in_b);
      for (const Pair& pair : pairs)
        compare_values(measure, tolerance, pair, {}, {column_a[pair.first]}, {column_b[pair.second]});
    } else {
      for (const Pair& pair : pairs) compare_curves(measure, tolerance, in_a, in_b, pair);
    }
  }
}

void ExperimentComparison::differ_in_declaration(std::string where, std::string what, std::string measure) {
  comparison_.differences.push_back({std::move(where), std::move(what), id_, std::move(measure)});
}

void ExperimentComparison::differ(const Pair& pair, std::string what, std::string measure) {
  std::string cell = a_.label(pair.first), where = id_ + " of " + cell;
  comparison_.differences.push_back({std::move(where), std::move(what), id_, std::move(measure), std::move(cell)});
}

void ExperimentComparison::compare_curves(const data::MeasureInfo& measure, const StoredTolerance& tolerances,
                                          const h5::Handle& in_a, const h5::Handle& in_b, const Pair& pair) {
  const Indices in_first = a_.indices(measure, pair.first), in_second = b_.indices(measure, pair.second);
  for (std::size_t axis = 0; axis < in_first.size(); ++axis) {
    const std::string& dimension = measure.dimensions[axis];
    if (a_.coordinates(dimension, in_first[axis]) != b_.coordinates(dimension, in_second[axis]))
      return differ(pair, fmt::format("{} has other coordinates along {}", measure.name, dimension), measure.name);
    if (in_first[axis].empty()) return;
  }
  compare_values(measure, tolerances, pair, in_first, values(in_a, pair.first, in_first),
                 values(in_b, pair.second, in_second));
}

// Reports where the values of one cell are furthest beyond their tolerance, if any are.
void ExperimentComparison::compare_values(const data::MeasureInfo& measure, const StoredTolerance& tolerances,
                                          const Pair& pair, const Indices& indices, const std::vector<double>& a,
                                          const std::vector<double>& b) {
  const double position = a_.largest_position(pair.first), length = a_.length(pair.first);
  const data::Tolerance& tolerance = tolerances.of(pair.first);
  const double unit = tolerances.unit_of(pair.first);
  std::size_t worst = 0, outside = 0;
  double most = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double allowed = is_unbounded(tolerance) ? std::numeric_limits<double>::infinity()
                                                   : tolerance.allowed(a[i], b[i], position, length, unit);
    if (same_number(a[i], b[i]) || is_within(a[i] - b[i], allowed)) continue;
    ++outside;
    const double excess = std::isnan(a[i] - b[i]) ? std::numeric_limits<double>::infinity() : std::abs(a[i] - b[i]);
    if (excess > most) most = excess, worst = i;
  }
  comparison_.compared_values += a.size();
  comparison_.values_of[{id_, measure.name}] += a.size();
  if (is_unbounded(tolerance)) comparison_.statistical_values += a.size();
  if (outside == 0) return;
  const double allowed = tolerance.allowed(a[worst], b[worst], position, length, unit);
  differ(pair,
         fmt::format("{}{} is {} in the first file and {} in the second; {}{}", measure.name,
                     coordinates_text(measure, indices, worst), base::shortest(a[worst]), base::shortest(b[worst]),
                     apart(a[worst] - b[worst], allowed),
                     a.size() > 1 ? fmt::format(" ({} of {} values differ)", outside, a.size()) : ""),
         measure.name);
  comparison_.differences.back().values = outside;
  comparison_.differences.back().excess = allowed > 0 ? most / allowed : std::numeric_limits<double>::infinity();
}

// "[position 17, depth 2]" of the flat-th value
std::string ExperimentComparison::coordinates_text(const data::MeasureInfo& measure, const Indices& indices,
                                                   std::size_t flat) const {
  std::string text;
  for (std::size_t axis = indices.size(); axis-- > 0;) {
    const std::size_t index = flat % indices[axis].size();
    flat /= indices[axis].size();
    const double coordinate = a_.coordinates(measure.dimensions[axis], {indices[axis][index]}).front();
    text =
        fmt::format("{} {}{}{}", measure.dimensions[axis], base::shortest(coordinate), text.empty() ? "" : ", ", text);
  }
  return text.empty() ? "" : "[" + text + "]";
}

}  // namespace poslab::results
