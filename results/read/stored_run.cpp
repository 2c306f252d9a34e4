// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/stored_run.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "read/stored_answers.hpp"
#include "read/stored_experiment.hpp"
#include "read/stored_index.hpp"

namespace poslab::results {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// One experiment, with what of it fits on a screen.
class ScreenTable {
 public:
  ScreenTable(const h5::Handle& file, const std::string& id) : stored_(file, id) {
    const h5::Handle group = h5::open_group(file, id);
    info_.id = id;
    info_.title = h5::text_attribute(group, "title");
    for (const data::MeasureInfo& measure : stored_.measures()) {
      info_.measures.push_back(measure);
      for (const std::string& dimension : measure.dimensions)
        if (h5::has_link(group, dimension + "_list") && !info_.axis(dimension)) {
          info_.axes.emplace_back().name = dimension;
          info_.axes.back().inner = true;
        }
      if (measure.dimensions.empty()) columns_[measure.name] = h5::read_numbers(stored_.open(measure));
    }
  }

  const data::ExperimentInfo& info() const { return info_; }

  StoredCell cell(std::size_t row, bool has_numbers, const std::vector<std::string>& curves) const {
    stored_.require_row(row);
    StoredCell stored;
    data::Cell& cell = stored.cell;
    cell.experiment = info_.id;
    for (const auto& [name, value] : stored_.labels(row)) cell.axes.set(name, value);
    for (const data::AxisInfo& axis : info_.axes) cell.axes.set(axis.name, stored_.own_coordinates(axis.name, row));
    if (!has_numbers) return stored;
    for (const data::MeasureInfo& measure : stored_.measures()) {
      const Ends ends = ends_of(measure, row);
      stored.first.push_back(ends.first);
      stored.last.push_back(ends.last);
      stored.at.push_back(ends.at);
      if (std::find(curves.begin(), curves.end(), measure.name) != curves.end() && measure.dimensions.size() == 1)
        stored.curves.push_back(curve_of(measure, row));
    }
    return stored;
  }

 private:
  // The first and the last value of a curve, and where the last one stands.
  struct Ends {
    double first = none, last = none, at = none;
  };
  Ends ends_of(const data::MeasureInfo& measure, std::size_t row) const {
    if (measure.dimensions.empty()) return {columns_.at(measure.name)[row], columns_.at(measure.name)[row], none};
    if (measure.dimensions.size() > 1 || !info_.axis(measure.dimensions.front())) return {};
    const Indices indices = stored_.indices(measure, row);
    if (indices.front().empty()) return {};
    const auto value_at = [&](std::size_t index) {
      return h5::read_block(stored_.open(measure), {row, index}, {1, 1}).at(0);
    };
    return {value_at(indices.front().front()), value_at(indices.front().back()),
            stored_.coordinates(measure.dimensions.front(), indices.front()).back()};
  }

  StoredCurve curve_of(const data::MeasureInfo& measure, std::size_t row) const {
    const std::vector<std::size_t> own = stored_.indices(measure, row).front();
    StoredCurve curve{measure.name, stored_.coordinates(measure.dimensions.front(), own), {}};
    if (own.empty()) return curve;
    const std::vector<double> all = h5::read_block(stored_.open(measure), {row, 0}, {1, own.back() + 1});
    for (const std::size_t index : own) curve.values.push_back(all[index]);
    return curve;
  }

  StoredExperiment stored_;
  data::ExperimentInfo info_;
  std::map<std::string, std::vector<double>> columns_;
};

}  // namespace

StoredRun read_run(const std::string& path, const std::vector<std::string>& curves) try {
  const h5::Silence silence;
  const StoredIndex index(path);
  const std::vector<std::string> schemes = texts(index.file, "scheme"), variants = texts(index.file, "variant"),
                                 messages = texts(index.file, "message");
  const std::vector<double> repeats = numbers(index.file, "repeat");
  for (const std::size_t size : {schemes.size(), variants.size(), messages.size(), repeats.size()})
    if (size != index.ids.size()) h5::damaged(index.file, "has an index whose columns differ in length");
  StoredRun run;
  run.title = h5::text_attribute(index.file, "title");
  run.complete = h5::number_attribute(index.file, "complete") != 0;
  run.planned_cells = static_cast<std::size_t>(std::max(0.0, h5::number_attribute(index.file, "planned_cells")));
  std::map<std::string, ScreenTable> tables;
  for (std::size_t i = 0; i < index.ids.size(); ++i) {
    const std::string& experiment = index.experiments[i];
    if (tables.count(experiment) == 0) {
      tables.try_emplace(experiment, index.file, experiment);
      run.experiments.push_back(tables.at(experiment).info());
    }
    const auto status = static_cast<data::Status>(index.status[i]);
    StoredCell cell =
        tables.at(experiment).cell(static_cast<std::size_t>(index.row[i]), status == data::Status::ok, curves);
    cell.cell.id = index.ids[i];
    cell.cell.variant.scheme = schemes[i];
    cell.cell.variant.label = variants[i];
    cell.cell.repeat = static_cast<int>(repeats[i]);
    cell.status = status;
    cell.message = messages[i];
    cell.weights = index.weights[i];
    run.cells.push_back(std::move(cell));
  }
  run.answers = read_answers(index.file);
  run.expectations = read_expectations(index.file);
  run.plugin_checks = data::plugin_checks_of(provenance_text(index.file, "plugin_checks"));
  run.weights_files = data::weights_files_of(provenance_text(index.file, "supply"));
  return run;
} catch (const h5::Error& error) {
  throw unreadable_results(path, error);
}

}  // namespace poslab::results
