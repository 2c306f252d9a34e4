// SPDX-License-Identifier: Apache-2.0
#include "shard_file.hpp"

#include <cmath>
#include <limits>

#include "poslab/base/pack.hpp"
#include "reader.hpp"

namespace poslab::results {
namespace {

constexpr std::int64_t most_cells = 1000000000;

// A whole number from `least` to `most`.
std::int64_t whole_number(const base::Values& header, const char* name, std::int64_t least, std::int64_t most) {
  const std::int64_t number = header.integer(name);
  if (number < least || number > most) throw base::Error(std::string("its ") + name + " is out of range");
  return number;
}

// The one record of a column.
base::Values only_record(const h5::Handle& group, const char* name) {
  PackedColumn column(group, name);
  if (column.size() != 1) throw base::Error(std::string(name) + " has not one record");
  return base::unpack_values(column.at(0));
}

template <class Item>
std::vector<Item> unpacked(const h5::Handle& group, const std::string& name, Item (*unpack)(std::string_view)) {
  PackedColumn column(group, name);
  std::vector<Item> items;
  for (std::size_t i = 0; i < column.size(); ++i) items.push_back(unpack(column.at(i)));
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
  const base::Values header = only_record(group, "header");
  shard.count = static_cast<int>(whole_number(header, "count", 1, base::most_shards));
  shard.index = static_cast<int>(whole_number(header, "index", 1, shard.count));
  whole = static_cast<std::size_t>(whole_number(header, "whole", 0, most_cells));
  schema_version = whole_number(header, "schema_version", 0, most_cells);
  title = header.text("title");
  study_hash = header.text("study_hash");
  plan_hash = header.text("plan_hash");
  poslab_version = header.text("poslab_version");
  for (const double place : header.list("places")) {
    const bool good = place >= (places.empty() ? 0.0 : static_cast<double>(places.back()) + 1) &&
                      place < static_cast<double>(whole) && place == std::floor(place);
    if (!good) throw base::Error("its cells have no places in a plan");
    places.push_back(static_cast<std::size_t>(place));
  }
  experiments = unpacked<base::ExperimentInfo>(group, "experiments", base::unpack_experiment);
  schemes = unpacked<base::SchemeInfo>(group, "schemes", base::unpack_scheme);
  expectations = unpacked<base::Expectation>(group, "expectations", base::unpack_expectation);
}

void ShardFile::read_cells(const h5::Handle& group) {
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
  for (const auto& [name, value] : only_record(h5::open_group(file_, "provenance"), "texts"))
    if (const auto* text = std::get_if<std::string>(&value)) provenance[name] = *text;
}

void ShardFile::wake() {
  if (!resting()) return;
  if (!same_file(vetted_, status_of(path))) throw base::FileError(path, "changed while it was read", "merge again");
  file_ = h5::open_file(path);
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
