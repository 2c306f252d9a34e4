// SPDX-License-Identifier: Apache-2.0
#include "merge/shard_file.hpp"

#include <cmath>
#include <limits>

#include "poslab/data/expectation.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "read/results_file.hpp"

namespace poslab::results {
namespace {

constexpr std::int64_t max_cells = 1000000000;

// A whole number from `least` to `most`.
std::int64_t whole_number(const data::Values& header, const char* name, std::int64_t least, std::int64_t most) {
  const std::int64_t number = header.integer(name);
  if (number < least || number > most) throw base::Error(std::string("its ") + name + " is out of range");
  return number;
}

// The one record of a column.
data::Values only_record(const h5::Handle& group, const char* name) {
  PackedColumn column(group, name);
  if (column.size() != 1) throw base::Error(std::string(name) + " has not one record");
  return data::unpack<data::Values>(column.at(0));
}

template <class Item>
std::vector<Item> unpacked(const h5::Handle& group, const std::string& name) {
  PackedColumn column(group, name);
  std::vector<Item> items;
  for (std::size_t i = 0; i < column.size(); ++i) items.push_back(data::unpack<Item>(column.at(i)));
  return items;
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) status.st_ino = 0;  // opening it will say why
  return status;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino != 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

ShardFile::ShardFile(std::string path_) : path(std::move(path_)) {
  const h5::Silence silence;
  vetted_ = status_of(path);
  file_ = open_results(path);
  if (!h5::has_link(file_, "shard"))
    throw NoShard(path, "holds a whole run's results and not those of a shard",
                  "give the files that poslab run --shard wrote");
  try {
    const h5::Handle group = h5::open_group(file_, "shard");
    read_header(group);
    read_cells(group);
    read_provenance();
  } catch (const base::FileError&) {
    throw;
  } catch (const base::Error& damage) {
    throw base::FileError(path, std::string("is a shard's file, but damaged: ") + damage.what(),
                          "run that shard again");
  }
}

void ShardFile::read_header(const h5::Handle& group) {
  const data::Values header = only_record(group, "header");
  shard.count = static_cast<int>(whole_number(header, "count", 1, data::max_shards));
  shard.index = static_cast<int>(whole_number(header, "index", 1, shard.count));
  whole = static_cast<std::size_t>(whole_number(header, "whole", 0, max_cells));
  schema_version = whole_number(header, "schema_version", 0, max_cells);
  title = header.text("title");
  study_hash = header.text("study_hash");
  plan_hash = header.text("plan_hash");
  poslab_version = header.text("poslab_version");
  for (const double index : header.list("indices")) {
    const bool good = index >= (indices.empty() ? 0.0 : static_cast<double>(indices.back()) + 1) &&
                      index < static_cast<double>(whole) && index == std::floor(index);
    if (!good) throw base::Error("the indices of its cells in the plan do not increase, or lie outside of it");
    indices.push_back(static_cast<std::size_t>(index));
  }
  experiments = unpacked<data::ExperimentInfo>(group, "experiments");
  for (const data::ExperimentInfo& experiment : experiments)
    if (const std::string name = "answers of " + experiment.id; header.contains(name))
      families[experiment.id] = static_cast<std::size_t>(whole_number(header, name.c_str(), 0, max_cells));
  schemes = unpacked<data::SchemeInfo>(group, "schemes");
  expectations = unpacked<data::Expectation>(group, "expectations");
}

void ShardFile::read_cells(const h5::Handle& group) {
  PackedColumn packed_cells(group, "cells");
  outcomes_ = PackedColumn(group, "outcomes");
  if (packed_cells.size() != indices.size() || outcomes_.size() != indices.size())
    throw base::Error("its numbers of indices, cells and outcomes differ");
  const h5::Handle timed = h5::open_dataset(h5::open_group(file_, "provenance"), "seconds");
  h5::believable_length(timed);
  const std::vector<double> of_rows = h5::read_numbers(timed);
  std::size_t row = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    finished_.push_back(outcomes_.length(i) > 0);
    const bool known = finished_.back() && row < of_rows.size();
    seconds.push_back(known ? of_rows[row++] : std::numeric_limits<double>::quiet_NaN());
    try {
      cells.push_back(data::unpack<data::Cell>(packed_cells.at(i)));
    } catch (const data::NotPacked&) {
      cells.emplace_back();
      damaged_cells.push_back(i);
    }
  }
}

void ShardFile::read_provenance() {
  for (const auto& [name, value] : only_record(h5::open_group(file_, "provenance"), "texts"))
    if (const auto* text = std::get_if<std::string>(&value)) provenance[name] = *text;
}

void ShardFile::reopen() {
  if (!is_closed()) return;
  if (!same_file(vetted_, status_of(path))) throw base::FileError(path, "changed while it was read", "merge again");
  file_ = h5::open_file(path);
  PackedColumn again(h5::open_group(file_, "shard"), "outcomes");
  if (again.size() != indices.size()) throw base::FileError(path, "changed while it was read", "merge again");
  outcomes_ = std::move(again);
}

void ShardFile::close() {
  outcomes_ = {};
  file_ = {};
}

std::string ShardFile::packed_outcome(std::size_t i) {
  reopen();
  return outcomes_.at(i);
}

data::Outcome ShardFile::outcome(std::size_t i) {
  data::Outcome outcome = data::unpack<data::Outcome>(packed_outcome(i));
  outcome.seconds = seconds[i];
  return outcome;
}

}  // namespace poslab::results
