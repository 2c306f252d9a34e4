// SPDX-License-Identifier: Apache-2.0
#include "shard_file.hpp"

#include <cmath>
#include <limits>

#include "poslab/base/pack.hpp"
#include "reader.hpp"

namespace poslab::results {
namespace {

constexpr double most_cells = 1e9;

// A whole number from `least` to `most`.
std::size_t whole_attribute(const h5::Handle& group, const char* name, double least, double most) {
  const double number = h5::number_attribute(group, name);
  if (!(number >= least && number <= most) || number != std::floor(number))
    throw base::Error(std::string("its attribute ") + name + " is out of range");
  return static_cast<std::size_t>(number);
}

std::string optional_text(const h5::Handle& object, const char* name) {
  return h5::has_attribute(object, name) ? h5::text_attribute(object, name) : "";
}

template <class Item>
std::vector<Item> unpacked(const h5::Handle& group, const std::string& name, Item (*unpack)(std::string_view)) {
  PackedColumn column(group, name);
  std::vector<Item> items;
  for (std::size_t i = 0; i < column.size(); ++i) items.push_back(unpack(column.at(i)));
  return items;
}

}  // namespace

ShardFile::ShardFile(std::string path_) : path(std::move(path_)) {
  const h5::Silence silence;
  file_ = open_results(path);
  if (!h5::has_link(file_, "shard"))
    throw NoShard(path, "holds a whole run's results and not those of a shard",
                  "give the files that poslab run --shard wrote");
  try {
    read();
  } catch (const base::FileError&) {
    throw;
  } catch (const base::Error& damage) {
    throw base::FileError(path, std::string("is a shard's file, but damaged: ") + damage.what(),
                          "run that shard again");
  }
}

void ShardFile::read() {
  const h5::Handle group = h5::open_group(file_, "shard");
  read_header(group);
  read_cells(group);
  read_provenance();
}

void ShardFile::read_header(const h5::Handle& group) {
  shard.count = static_cast<int>(whole_attribute(group, "count", 1, base::most_shards));
  shard.index = static_cast<int>(whole_attribute(group, "index", 1, shard.count));
  whole = whole_attribute(group, "whole", 0, most_cells);
  schema_version = static_cast<std::int64_t>(whole_attribute(file_, "schema_version", 0, most_cells));
  title = optional_text(file_, "title");
  study_hash = h5::text_attribute(file_, "study_hash");
  plan_hash = h5::text_attribute(group, "plan_hash");
  poslab_version = h5::text_attribute(group, "poslab_version");
  experiments = unpacked<base::ExperimentInfo>(group, "experiments", base::unpack_experiment);
  schemes = unpacked<base::SchemeInfo>(group, "schemes", base::unpack_scheme);
  expectations = unpacked<base::Expectation>(group, "expectations", base::unpack_expectation);
}

void ShardFile::read_cells(const h5::Handle& group) {
  for (const std::uint64_t place : h5::read_unsigned(h5::open_dataset(group, "place"))) {
    if (place >= whole || (!places.empty() && place <= places.back()))
      throw base::Error("its cells have no places in a plan");
    places.push_back(place);
  }
  PackedColumn packed_cells(group, "cells");
  outcomes_ = PackedColumn(group, "outcomes");
  if (packed_cells.size() != places.size() || outcomes_.size() != places.size())
    throw base::Error("it has another number of places, cells and outcomes");
  const h5::Handle timed = h5::open_dataset(h5::open_group(file_, "provenance"), "seconds");
  h5::believable_length(timed);
  const std::vector<double> of_rows = h5::read_numbers(timed);
  std::size_t row = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    finished_.push_back(outcomes_.length(i) > 0);
    const bool known = finished_.back() && row < of_rows.size();
    seconds.push_back(known ? of_rows[row++] : std::numeric_limits<double>::quiet_NaN());
    try {
      cells.push_back(base::unpack_cell(packed_cells.at(i)));
    } catch (const base::NotPacked&) {
      cells.emplace_back();
      damaged_cells.push_back(i);
    }
  }
}

void ShardFile::read_provenance() {
  const h5::Handle group = h5::open_group(file_, "provenance");
  for (const char* name :
       {"study", "study_path", "resolved_study", "versions", "experiment_versions", "plugins", "git_commit", "compiler",
        "compile_flags", "processor", "host", "threads", "command_line", "started", "run_seconds"}) {
    if (!h5::has_link(group, name)) continue;
    const h5::Handle dataset = h5::open_dataset(group, name);
    if (h5::shape_of(dataset).empty()) provenance[name] = h5::read_texts(dataset).front();
  }
}

void ShardFile::wake() {
  if (!resting()) return;
  file_ = open_results(path);
  PackedColumn again(h5::open_group(file_, "shard"), "outcomes");
  if (again.size() != places.size()) throw base::FileError(path, "changed while it was read", "merge again");
  outcomes_ = std::move(again);
}

void ShardFile::rest() {
  outcomes_ = {};
  file_ = {};
}

std::string ShardFile::packed_outcome(std::size_t i) {
  wake();
  return outcomes_.at(i);
}

base::Outcome ShardFile::outcome(std::size_t i) {
  base::Outcome outcome = base::unpack_outcome(packed_outcome(i));
  outcome.seconds = seconds[i];
  return outcome;
}

}  // namespace poslab::results
