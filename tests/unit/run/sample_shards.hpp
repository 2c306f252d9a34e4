// SPDX-License-Identifier: Apache-2.0
// The made-up run of the results' tests, in shards.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/find_by.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/shard_journal.hpp"
#include "sample.hpp"

namespace sample_shards {

using namespace poslab;

/// Every count-th cell of a run, beginning at index.
struct SampleShard {
  SampleShard(const sample::Run& run_, int index, int count) : run(run_) {
    const results::Description& description = run.description;
    record.shard = {index, count};
    record.title = description.title, record.study_hash = description.study_hash;
    record.poslab = "0.1.0", record.plan_hash = std::string(64, 'b'), record.whole = run.cells.size();
    record.families = description.families;
    record.experiments = description.experiments, record.schemes = description.schemes;
    for (const auto& expectation : run.expectations) record.expectations.push_back(expectation.expectation);
    for (auto i = static_cast<std::size_t>(index - 1); i < run.cells.size(); i += static_cast<std::size_t>(count)) {
      record.cells.push_back(run.cells[i]);
      record.indices.push_back(i);
    }
  }
  /// Beside `name`; `left` of the record's cells did not run.
  void write(const std::string& name, const std::set<std::size_t>& left = {}) const {
    journal::Journal journal(name + ".journal", journal::Journal::Start::fresh);
    journal::JournalRun facts;
    facts.shard = record.shard.option();
    facts.shard_record = journal::pack(record);
    journal.begin(facts);
    for (std::size_t i = 0; i < record.cells.size(); ++i) {
      const data::Cell& cell = record.cells[i];
      if (left.count(i) > 0 || cell.skip) continue;
      const auto* scheme = base::find_by(record.schemes, &data::SchemeInfo::id, cell.variant.scheme);
      const data::PackedOutcome outcome(run.outcomes[record.indices[i]]);
      journal.add(i, cell, outcome, {scheme->code_hash(), "1", "1"});
    }
  }
  const sample::Run& run;
  journal::ShardRecord record;
};

inline std::vector<std::string> write_all(const sample::Run& run, const std::string& folder, int count) {
  std::vector<std::string> names;
  for (int index = 1; index <= count; ++index) {
    names.push_back(folder + "/s." + std::to_string(index) + "-of-" + std::to_string(count) + ".h5");
    SampleShard(run, index, count).write(names.back());
  }
  return names;
}

}  // namespace sample_shards
