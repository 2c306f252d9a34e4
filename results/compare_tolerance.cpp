// SPDX-License-Identifier: Apache-2.0
// Joins two files on the identity of their cells and holds each measure to its own tolerance.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "bounds.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/text.hpp"
#include "poslab/results/compare.hpp"
#include "stored_experiment.hpp"

namespace poslab::results {
namespace {

// The index of a file.
struct Run {
  explicit Run(const std::string& path)
      : file(open_results(path)),
        ids(texts(file, "id")),
        experiments(texts(file, "experiment")),
        status(numbers(file, "status")),
        row(numbers(file, "row")) {
    for (const std::size_t size : {experiments.size(), status.size(), row.size()})
      if (size != ids.size()) h5::damaged(file, "has an index whose columns differ in length");
    for (std::size_t cell = 0; cell < ids.size(); ++cell) {
      if (!(status[cell] >= 0 && status[cell] <= static_cast<double>(base::Status::skipped)))
        h5::damaged(file, "has a cell without a state");
      if (!(row[cell] >= 0 && row[cell] < 1e15)) h5::damaged(file, "has a cell without a row");
      cell_of[ids[cell]] = cell;
    }
  }
  h5::Handle file;
  std::vector<std::string> ids, experiments;
  std::vector<double> status, row;
  std::map<std::string, std::size_t> cell_of;
};

// The same cell in both files: its rows in its experiment's groups.
struct Pair {
  std::size_t first, second;
};

// A statistical measure may still have a bound: that of its arithmetic, for the same draws.
bool is_unbounded(const base::Tolerance& t) {
  return t.statistical && t.absolute == 0 && t.relative == 0 && t.per_position == 0 && t.per_length == 0;
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What is infinite in one file only is no nearer for a tolerance that grows with the values.
bool is_within(double difference, double allowed) {
  return std::isfinite(difference) && std::abs(difference) <= allowed;
}

std::string apart(double difference, double allowed) {
  if (std::isnan(difference)) return "one of them is no number";
  if (std::isinf(difference)) return "they are infinitely far apart";
  return fmt::format("they are {:.3g} apart, {:.3g} is allowed", std::abs(difference), allowed);
}

class ExperimentComparison {
 public:
  ExperimentComparison(const Run& a, const Run& b, const std::string& id, Comparison& comparison)
      : a_(a.file, id), b_(b.file, id), comparison_(comparison) {
    for (const StoredMeasure& measure : b_.measures())
      if (!a_.measure(measure.name)) differ(id, fmt::format("the measure {} is in the second file only", measure.name));
    for (const StoredMeasure& measure : a_.measures())
      if (!b_.measure(measure.name)) differ(id, fmt::format("the measure {} is in the first file only", measure.name));
  }

  std::string label(std::size_t row) const { return a_.label(row); }
  void require(const Pair& pair) const { a_.require_row(pair.first), b_.require_row(pair.second); }

  void compare(const std::vector<Pair>& pairs) {
    for (const StoredMeasure& measure : a_.measures()) {
      const StoredMeasure* other = b_.measure(measure.name);
      if (!other) continue;
      if (measure.dimensions != other->dimensions) {
        differ(measure.name, "has other dimensions");
        continue;
      }
      const h5::Handle in_a = a_.open(measure), in_b = b_.open(*other);
      const base::Tolerance tolerance = a_.tolerance(measure);
      if (measure.dimensions.empty()) {
        const std::vector<double> column_a = h5::read_numbers(in_a), column_b = h5::read_numbers(in_b);
        for (const Pair& pair : pairs)
          hold(measure, tolerance, pair, {}, {column_a[pair.first]}, {column_b[pair.second]});
      } else {
        for (const Pair& pair : pairs) compare_curves(measure, tolerance, in_a, in_b, pair);
      }
    }
  }

 private:
  void differ(std::string where, std::string what) {
    comparison_.differences.push_back({std::move(where), std::move(what)});
  }

  void compare_curves(const StoredMeasure& measure, const base::Tolerance& tolerance, const h5::Handle& in_a,
                      const h5::Handle& in_b, const Pair& pair) {
    const Places at_a = a_.places(measure, pair.first), at_b = b_.places(measure, pair.second);
    for (std::size_t axis = 0; axis < at_a.size(); ++axis) {
      const std::string& dimension = measure.dimensions[axis];
      if (a_.coordinates(dimension, at_a[axis]) != b_.coordinates(dimension, at_b[axis]))
        return differ(a_.label(pair.first), fmt::format("{} stands at other values of {}", measure.name, dimension));
      if (at_a[axis].empty()) return;
    }
    hold(measure, tolerance, pair, at_a, values(in_a, pair.first, at_a), values(in_b, pair.second, at_b));
  }

  // Says where the values of one cell are furthest apart, if any are further apart than they may be.
  void hold(const StoredMeasure& measure, const base::Tolerance& tolerance, const Pair& pair, const Places& places,
            const std::vector<double>& a, const std::vector<double>& b) {
    const double position = a_.largest_position(pair.first), length = a_.length(pair.first);
    std::size_t worst = 0, outside = 0;
    double most = -1;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double allowed = is_unbounded(tolerance) ? std::numeric_limits<double>::infinity()
                                                     : tolerance.allowed(a[i], b[i], position, length);
      if (same_number(a[i], b[i]) || is_within(a[i] - b[i], allowed)) continue;
      ++outside;
      const double excess = std::isnan(a[i] - b[i]) ? std::numeric_limits<double>::infinity() : std::abs(a[i] - b[i]);
      if (excess > most) most = excess, worst = i;
    }
    comparison_.compared_values += a.size();
    if (is_unbounded(tolerance)) comparison_.statistical_values += a.size();
    if (outside == 0) return;
    const double allowed = tolerance.allowed(a[worst], b[worst], position, length);
    differ(a_.label(pair.first),
           fmt::format("{}{} is {} in the first file and {} in the second; {}{}", measure.name,
                       place(measure, places, worst), base::shortest(a[worst]), base::shortest(b[worst]),
                       apart(a[worst] - b[worst], allowed),
                       a.size() > 1 ? fmt::format(" ({} of {} values differ)", outside, a.size()) : ""));
  }

  static std::vector<double> values(const h5::Handle& dataset, std::size_t row, const Places& places) {
    const Box box = box_around(places), whole = in_row(row, box);
    return gather(h5::read_block(dataset, whole.start, whole.extent), places, box);
  }

  // "[position 17, depth 2]" of the flat-th value
  std::string place(const StoredMeasure& measure, const Places& places, std::size_t flat) const {
    std::string text;
    for (std::size_t axis = places.size(); axis-- > 0;) {
      const std::size_t index = flat % places[axis].size();
      flat /= places[axis].size();
      const double coordinate = a_.coordinates(measure.dimensions[axis], {places[axis][index]}).front();
      text = fmt::format("{} {}{}{}", measure.dimensions[axis], base::shortest(coordinate), text.empty() ? "" : ", ",
                         text);
    }
    return text.empty() ? "" : "[" + text + "]";
  }

  StoredExperiment a_, b_;
  Comparison& comparison_;
};

std::string status_text(double status) { return base::to_text(static_cast<base::Status>(status)); }

}  // namespace

Comparison compare_within_tolerance(const std::string& first, const std::string& second) try {
  const h5::Silence silence;
  const Run a(first), b(second);
  Comparison comparison;
  std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> joined;  // experiment -> cells of both
  for (std::size_t cell = 0; cell < a.ids.size(); ++cell) {
    const auto other = b.cell_of.find(a.ids[cell]);
    if (other == b.cell_of.end()) {
      ++comparison.only_in_first;
    } else {
      joined[a.experiments[cell]].emplace_back(cell, other->second);
    }
  }
  comparison.compared_cells = a.ids.size() - comparison.only_in_first;
  comparison.only_in_second = b.ids.size() - comparison.compared_cells;
  for (const auto& [experiment, cells] : joined) {
    ExperimentComparison of_experiment(a, b, experiment, comparison);
    std::vector<Pair> pairs;
    for (const auto& [in_a, in_b] : cells) {
      const Pair pair{static_cast<std::size_t>(a.row[in_a]), static_cast<std::size_t>(b.row[in_b])};
      of_experiment.require(pair);
      if (a.status[in_a] != b.status[in_b]) {
        comparison.differences.push_back(
            {of_experiment.label(pair.first), fmt::format("is {} in the first file and {} in the second",
                                                          status_text(a.status[in_a]), status_text(b.status[in_b]))});
      } else if (static_cast<base::Status>(a.status[in_a]) == base::Status::ok) {
        pairs.push_back(pair);
      }
    }
    of_experiment.compare(pairs);
  }
  return comparison;
} catch (const h5::Error& error) {
  throw cannot_be_compared(first, second, error);
}

}  // namespace poslab::results
