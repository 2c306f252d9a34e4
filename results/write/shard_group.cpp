// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "write/groups.hpp"
#include "write/packed_column.hpp"

namespace poslab::results {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// For each planned cell its row; `none` if it did not run.
std::vector<std::size_t> rows_of(const std::vector<const data::Cell*>& cells, const std::vector<Row>& rows) {
  std::vector<std::size_t> found;
  std::size_t row = 0;
  for (const data::Cell* cell : cells) {
    const bool ran = row < rows.size() && rows[row].cell == cell;
    found.push_back(ran ? row++ : none);
  }
  if (row < rows.size())
    throw base::Error("a row is no cell of the shard, or the order of rows is not that of the cells");
  return found;
}

// Seconds are facts of a machine: they stay in provenance.
std::string packed(const Row& row) {
  data::Outcome outcome = row.outcome();
  outcome.seconds = 0;
  return data::pack(outcome);
}

// So do paths of libraries.
std::string packed(data::SchemeInfo scheme) {
  scheme.file.clear();
  return data::pack(scheme);
}

// The attributes of the file and of the group once more, and the indices of the cells in the plan, with a checksum.
std::string packed_header(const Description& description) {
  const ShardPart& part = *description.shard;
  data::Values header{{"index", std::int64_t{part.shard.index}},
                      {"count", std::int64_t{part.shard.count}},
                      {"whole", static_cast<std::int64_t>(part.whole)},
                      {"schema_version", schema_version},
                      {"poslab_version", part.poslab_version},
                      {"title", description.title},
                      {"study_hash", description.study_hash},
                      {"plan_hash", part.plan_hash},
                      {"indices", std::vector<double>(part.indices.begin(), part.indices.end())}};
  for (const auto& [experiment, family] : description.families)
    header.set("answers of " + experiment, static_cast<std::int64_t>(family));
  return data::pack(header);
}

template <class Info>
std::vector<std::string> ids(const std::vector<Info>& infos) {
  std::vector<std::string> all;
  for (const Info& info : infos) all.push_back(info.id);
  return all;
}

}  // namespace

void write_shard(const h5::Handle& file, const Description& description, const std::vector<Row>& rows) {
  const ShardPart& part = *description.shard;
  Group group(file, "shard");
  group.attribute("comment", "what poslab merge reads");
  group.attribute("index", static_cast<std::int64_t>(part.shard.index));
  group.attribute("count", static_cast<std::int64_t>(part.shard.count));
  group.attribute("whole", static_cast<std::int64_t>(part.whole));
  group.attribute("plan_hash", part.plan_hash);
  group.attribute("poslab_version", part.poslab_version);

  const CountedColumns header(group, "header", 1, "there is one header");
  write_packed(group, "header", "header", 1, "the attributes, and the indices of the cells, packed",
               [&](std::size_t) { return packed_header(description); });
  group.dimension("experiment", ids(description.experiments), {{"long_name", "experiments of the study"}});
  write_packed(group, "experiments", "experiment", description.experiments.size(),
               "what an experiment declares, packed",
               [&](std::size_t i) { return data::pack(description.experiments[i]); });
  group.dimension("scheme", ids(description.schemes), {{"long_name", "schemes of the study"}});
  write_packed(group, "schemes", "scheme", description.schemes.size(), "what a scheme declares, packed",
               [&](std::size_t i) { return packed(description.schemes[i]); });
  const CountedColumns expectations(group, "expectation", part.expectations.size(), "number of the expectation");
  write_packed(group, "expectations", "expectation", part.expectations.size(), "what the study expects, packed",
               [&](std::size_t i) { return data::pack(part.expectations[i]); });

  const std::vector<std::size_t> row_of = rows_of(part.cells, rows);
  group.dimension("plan_index", std::vector<std::int64_t>(part.indices.begin(), part.indices.end()),
                  {{"units", "1"}, {"long_name", "index of the cell in the whole plan, from 0"}});
  write_packed(group, "cells", "plan_index", part.cells.size(), "what a cell is, packed",
               [&](std::size_t i) { return data::pack(*part.cells[i]); });
  write_packed(group, "outcomes", "plan_index", part.cells.size(),
               "what became of a cell, packed; nothing if it did not run",
               [&](std::size_t i) { return row_of[i] == none ? std::string() : packed(rows[row_of[i]]); });
  group.close();
}

}  // namespace poslab::results
