// SPDX-License-Identifier: Apache-2.0
#include "read/stored_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "h5/attribute.hpp"
#include "h5/bounds.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/length_axes.hpp"

namespace poslab::results {
namespace {

bool is_text(const h5::Handle& dataset) {
  const h5::Handle type(H5Dget_type(dataset), H5Tclose, "H5Dget_type");
  return H5Tget_class(type) == H5T_STRING;
}

std::vector<std::string> as_texts(const h5::Handle& dataset) {
  if (is_text(dataset)) return h5::read_texts(dataset);
  std::vector<std::string> result;
  for (const double x : h5::read_numbers(dataset)) result.push_back(std::isnan(x) ? "" : base::shortest(x));
  return result;
}

}  // namespace

StoredExperiment::StoredExperiment(const h5::Handle& file, std::string id)
    : id_(std::move(id)),
      group_(h5::open_group(file, id_)),
      rows_(h5::whole_count(h5::open_dataset(group_, "cell"))),
      measures_(results::measures(group_)) {
  for (const data::MeasureInfo& measure : measures_)
    for (const std::string& dimension : measure.dimensions)
      if (!has_dimension(dimension)) {
        coordinates_[dimension] = numbers(group_, dimension);
        if (h5::has_link(group_, dimension + "_count")) counts_[dimension] = numbers(group_, dimension + "_count");
      }
  for (const char* name : data::length_axes)
    if (h5::has_link(group_, name)) lengths_[name] = numbers(group_, name);
  check_extents();
  if (measures_.empty()) return;
  std::istringstream names(h5::text_attribute(open(measures_.front()), "coordinates"));
  for (std::string name; names >> name;) {
    const h5::Handle column = h5::open_dataset(group_, name);
    const bool is_of_cells = h5::shape_of(column).size() == 1;  // and not where each point of a curve lies
    if (name != "scheme" && is_of_cells) label_columns_.emplace_back(name, as_texts(column));
  }
  for (const auto& [name, column] : label_columns_)
    if (column.size() != rows_) h5::damaged(group_, "has " + name + " for another number of rows");
}

void StoredExperiment::require_row(std::size_t row) const {
  if (row >= rows_) h5::damaged(group_, fmt::format("has {} rows, and a cell of the index is row {}", rows_, row));
}

// What the group says of rows and coordinates must be consistent, since all of it is used as an index.
void StoredExperiment::check_extents() const {
  for (const data::MeasureInfo& measure : measures_) {
    h5::Shape shape{rows_};
    for (const std::string& dimension : measure.dimensions) shape.push_back(coordinates_.at(dimension).size());
    if (h5::shape_of(open(measure)) != shape) h5::damaged(group_, "has " + measure.name + " of another shape");
  }
  for (const auto& [name, column] : lengths_)
    if (column.size() != rows_) h5::damaged(group_, "has " + name + " for another number of rows");
  for (const auto& [dimension, column] : counts_) {
    const auto most = static_cast<double>(coordinates_.at(dimension).size());
    if (column.size() != rows_ ||
        !std::all_of(column.begin(), column.end(), [&](double count) { return count >= 0 && count <= most; }))
      h5::damaged(group_, fmt::format("has {0}_count that does not count {0}", dimension));
  }
}

const data::MeasureInfo* StoredExperiment::measure(const std::string& name) const {
  return base::find_by(measures_, &data::MeasureInfo::name, name);
}

StoredTolerance StoredExperiment::tolerance(const data::MeasureInfo& measure) const {
  StoredTolerance tolerance{measure.tolerance, measure.float32, {}, {}};
  for (const auto& [name, column] : label_columns_)
    if (name == "dtype")
      for (const std::string& dtype : column) tolerance.is_float.push_back(dtype == "float32");
  if (measure.tolerance_unit.empty()) return tolerance;
  const data::MeasureInfo* size = this->measure(measure.tolerance_unit);
  if (!size || !size->dimensions.empty())
    throw base::Error(base::Error::Kind::damaged,
                      fmt::format("tolerance_unit of {} is {}, which is no scalar measure of {}", measure.name,
                                  measure.tolerance_unit, id_));
  tolerance.unit = h5::read_numbers(open(*size));
  return tolerance;
}

std::vector<std::size_t> StoredExperiment::own(const std::string& dimension, std::size_t row) const {
  std::vector<std::size_t> indices;
  const std::size_t all = coordinates_.at(dimension).size();
  if (const auto count = counts_.find(dimension); count != counts_.end()) {
    for (std::size_t index = 0; index < static_cast<std::size_t>(count->second[row]); ++index) indices.push_back(index);
    return indices;
  }
  const std::vector<double> used = h5::read_block(h5::open_dataset(group_, dimension + "_used"), {row, 0}, {1, all});
  for (std::size_t index = 0; index < all; ++index)
    if (used[index] != 0) indices.push_back(index);
  return indices;
}

Indices StoredExperiment::indices(const data::MeasureInfo& measure, std::size_t row) const {
  Indices indices;
  for (const std::string& dimension : measure.dimensions) indices.push_back(own(dimension, row));
  return indices;
}

std::vector<double> StoredExperiment::coordinates(const std::string& dimension,
                                                  const std::vector<std::size_t>& indices) const {
  std::vector<double> values;
  for (const std::size_t index : indices) values.push_back(coordinates_.at(dimension)[index]);
  return values;
}

double StoredExperiment::length(std::size_t row) const {
  for (const char* name : data::length_axes)
    if (const auto column = lengths_.find(name); column != lengths_.end() && !std::isnan(column->second[row]))
      return column->second[row];
  return 0;
}

double StoredExperiment::largest(const std::string& dimension, std::size_t row) const {
  if (!has_dimension(dimension)) return 0;
  const std::vector<std::size_t> indices = own(dimension, row);
  return indices.empty() ? 0 : coordinates_.at(dimension)[indices.back()];
}

double StoredExperiment::largest_position(std::size_t row) const {
  const double last = std::max(0.0, length(row) - 1) + largest("shift", row);
  return std::max(last, largest("position", row));
}

std::string StoredExperiment::version() const {
  return h5::has_attribute(group_, "version") ? h5::text_attribute(group_, "version") : "";
}

std::string StoredExperiment::label(std::size_t row) const {
  std::string text;
  for (const auto& [name, values] : label_columns_) {
    if (values[row].empty()) continue;
    text += (text.empty() ? "" : ", ") + (name == "variant" ? values[row] : name + " " + values[row]);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> StoredExperiment::labels(std::size_t row) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [name, values] : label_columns_) {
    if (name == "repeat") break;  // what follows are parameters of schemes
    if (name != "variant" && !name.ends_with("_list")) found.emplace_back(name, values[row]);
  }
  return found;
}

}  // namespace poslab::results
