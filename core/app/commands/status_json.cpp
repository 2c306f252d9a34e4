// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "commands/texts.hpp"
#include "poslab/base/json.hpp"

namespace poslab::app {
namespace {

using base::Json;

void add_counts(Json& object, const run::CellCounts& counts) {
  object["planned"] = counts.planned;
  object["ok"] = counts.ok;
  object["failed"] = counts.failed;
  object["crashed"] = counts.crashed;
  object["timeout"] = counts.timeout;
  object["skipped"] = counts.skipped;
  object["left"] = counts.left;
}

Json json_of(const journal::KnownCheckpoint& checkpoint) {
  return {{"experiment", checkpoint.experiment},  {"variant", checkpoint.variant},
          {"done", checkpoint.progress.done},     {"total", checkpoint.progress.total},
          {"says", checkpoint.progress.sentence}, {"kept", checkpoint.kept}};
}

Json json_of(const run::JournalEntry& entry) {
  const journal::JournalStatus& status = entry.status;
  Json object = {{"journal", entry.path},           {"title", status.title}, {"study_hash", status.study_hash},
                 {"study_path", status.study_path}, {"shard", status.shard}, {"poslab", status.poslab}};
  add_counts(object, run::counts_of(status));
  object["begun"] = status.begun;
  object["began"] = status.began;
  object["began_by"] = status.began_by;
  object["writer"] = status.writer.empty() ? Json() : Json(status.writer);
  object["cells_per_second"] = status.rate > 0 ? Json(status.rate) : Json();
  object["checkpoints"] = Json::array();
  for (const journal::KnownCheckpoint& checkpoint : status.checkpoints)
    object["checkpoints"].push_back(json_of(checkpoint));
  return object;
}

Json json_of(const run::PartitionStatus& one) {
  Json unreadable = Json::array();
  for (const run::UnreadableJournal& journal : one.unreadable) unreadable.push_back(journal.path);
  Json object = {{"output", one.partition.output.string()},
                 {"shards", one.partition.shards == 0 ? Json() : Json(one.partition.shards)},
                 {"missing", one.partition.missing},
                 {"unreadable", unreadable}};
  const run::CellCounts counts = run::counts_of(one);
  add_counts(object, counts);
  object["complete"] = counts.complete;
  return object;
}

}  // namespace

std::string status_json(const std::vector<run::PartitionStatus>& all) {
  Json journals = Json::array(), runs = Json::array(), sum;
  for (const run::PartitionStatus& one : all) {
    for (const run::JournalEntry& entry : one.journals) journals.push_back(json_of(entry));
    runs.push_back(json_of(one));
  }
  if (run::divided_in_several_ways(all).empty()) {
    const run::CellCounts counts = run::counts_of(all);
    add_counts(sum, counts);
    sum["complete"] = counts.complete;
  }
  return base::json_text({{"journals", journals}, {"runs", runs}, {"sum", sum}}, 1) + "\n";
}

}  // namespace poslab::app
