// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "terminal/terminal.hpp"
#include "terminal/text_table.hpp"

namespace poslab::app {
namespace {

// The columns of the table, and the keys of JSON.
constexpr std::pair<const char*, std::int64_t run::CellCounts::*> count_fields[] = {
    {"planned", &run::CellCounts::planned}, {"ok", &run::CellCounts::ok},
    {"failed", &run::CellCounts::failed},   {"crashed", &run::CellCounts::crashed},
    {"timeout", &run::CellCounts::timeout}, {"skipped", &run::CellCounts::skipped},
    {"left", &run::CellCounts::left}};

void add_counts(base::Json& json, const run::CellCounts& counts) {
  for (const auto& [name, member] : count_fields) json[name] = counts.*member;
}

std::vector<std::vector<std::string>> table_of(const std::vector<run::PartitionStatus>& all) {
  std::vector<std::vector<std::string>> rows{{"journal"}};
  for (const auto& [name, member] : count_fields) rows.front().emplace_back(name);
  const auto add_row = [&rows](const std::string& name, const run::CellCounts& counts) {
    rows.push_back({name});
    for (const auto& [column, member] : count_fields) rows.back().push_back(std::to_string(counts.*member));
  };
  std::size_t journals = 0;
  for (const run::PartitionStatus& one : all) {
    for (const auto& [path, status] : one.journals) add_row(path, run::counts_of(status));
    journals += one.journals.size();
    if (all.size() > 1 && one.journals.size() > 1)
      add_row(one.partition.output.string() + " " + one.partition.text(), run::counts_of(one));
  }
  if (journals > 1 && run::divided_in_several_ways(all).empty()) add_row("all", run::counts_of(all));
  return rows;
}

Fact state_of(const journal::JournalStatus& status) {
  const base::Json none = base::Json::object();
  if (!status.begun && status.writer.empty()) return {"not-begun", none, "ended before it began"};
  if (!status.begun) return {"planned", none, "being planned by " + status.writer};
  if (status.writer.empty() && status.left() == 0) return {"complete", none, "complete"};
  if (status.writer.empty()) return {"stopped", none, "stopped: nobody writes it"};
  Fact state{"running", none, "written by " + status.writer};
  if (status.rate <= 0) return state;
  state.values = {{"cells_per_second", status.rate}, {"seconds_left", status.seconds_left()}};
  state.sentence += fmt::format(", {:.3g} cells/s, {} left if they go on like this", status.rate,
                                base::human_seconds(status.seconds_left()));
  return state;
}

base::Json json_of_checkpoint(const journal::KnownCheckpoint& checkpoint) {
  return {{"experiment", checkpoint.experiment},  {"variant", checkpoint.variant},
          {"done", checkpoint.progress.done},     {"total", checkpoint.progress.total},
          {"says", checkpoint.progress.sentence}, {"kept", checkpoint.kept}};
}

// The newest.
Document::Lines checkpoint_lines(const std::vector<journal::KnownCheckpoint>& checkpoints) {
  constexpr std::size_t most = 10;
  const std::size_t left_out = checkpoints.size() - std::min(checkpoints.size(), most);
  Document::Lines lines;
  for (std::size_t i = left_out; i < checkpoints.size(); ++i)
    lines.push_back(base::printable(fmt::format("  {} of {} has a checkpoint: {}", checkpoints[i].experiment,
                                                checkpoints[i].variant, checkpoints[i].progress.sentence)));
  if (left_out > 0) lines.push_back(fmt::format("  and {} more cells", left_out));
  return lines;
}

void add_journal(Document& document, const run::JournalEntry& entry) {
  const journal::JournalStatus& status = entry.status;
  const Fact state = state_of(status);
  base::Json json = {{"journal", entry.path},           {"title", status.title}, {"study_hash", status.study_hash},
                     {"study_path", status.study_path}, {"shard", status.shard}, {"poslab", status.poslab}};
  add_counts(json, run::counts_of(status));
  json["begun"] = status.begun;
  json["began"] = status.began;
  json["began_by"] = status.began_by;
  json["writer"] = status.writer.empty() ? base::Json() : base::Json(status.writer);
  json["cells_per_second"] = status.rate > 0 ? base::Json(status.rate) : base::Json();
  json["state"] = json_of(state);
  json["checkpoints"] = base::Json::array();
  for (const journal::KnownCheckpoint& checkpoint : status.checkpoints)
    json["checkpoints"].push_back(json_of_checkpoint(checkpoint));
  document.append("journals", json, {base::printable(entry.path + ": " + state.sentence)});
  document.say(checkpoint_lines(status.checkpoints));
}

std::string missing_text(const journal::Partition& partition) {
  std::vector<std::string> numbers;
  for (const int number : partition.missing)
    if (numbers.size() < 20) numbers.push_back(std::to_string(number));
  return fmt::format("{} of {} of {} {} not begun: {}{}", partition.missing.size(),
                     base::counted(partition.shards, "shard"), base::printable(partition.output.string()),
                     partition.missing.size() == 1 ? "has" : "have", base::enumerate(numbers),
                     partition.missing.size() > numbers.size() ? " ..." : "");
}

void add_run(Document& document, const run::PartitionStatus& one) {
  const journal::Partition& partition = one.partition;
  base::Json unreadable = base::Json::array();
  for (const run::UnreadableJournal& journal : one.unreadable) unreadable.push_back(journal.path);
  base::Json json = {{"output", partition.output.string()},
                     {"shards", partition.shards == 0 ? base::Json() : base::Json(partition.shards)},
                     {"missing", partition.missing},
                     {"unreadable", unreadable}};
  const run::CellCounts counts = run::counts_of(one);
  add_counts(json, counts);
  json["complete"] = counts.complete;
  document.append("runs", json);
  if (!partition.missing.empty()) document.say({missing_text(partition)});
}

// Partitions of one output have all cells for themselves: they have no sum.
void add_sum(Document& document, const std::vector<run::PartitionStatus>& all) {
  const auto divided = run::divided_in_several_ways(all);
  base::Json sum;
  if (divided.empty()) {
    const run::CellCounts counts = run::counts_of(all);
    add_counts(sum, counts);
    sum["complete"] = counts.complete;
  }
  document.add("sum", sum);
  for (const std::string& output : divided) {
    std::vector<std::string> partitions;
    for (const run::PartitionStatus& one : all)
      if (one.partition.output.lexically_normal() == output) partitions.push_back(one.partition.text());
    document.say({fmt::format(
        "{} was begun in several ways: {}; each has all cells for itself (name the journals of one to see it alone, "
        "and delete those of what you have given up)",
        base::printable(output), fmt::join(partitions, ", "))});
  }
}

struct StatusOptions final : Options {
  StatusOptions() {
    words = {1, Words::any, [](const Typed&) { return Completion{{}, {"*.h5", "*.journal", "*.toml"}}; }};
  }
  Flag json{this, flag("json", "as JSON")};
};

int status(const StatusOptions& asked) {
  const std::vector<run::PartitionStatus> all = run::status_of(asked.words.given);
  print(stderr, unreadable_text(all));
  if (std::any_of(all.begin(), all.end(), [](const run::PartitionStatus& one) { return !one.journals.empty(); }))
    print(status_document(all, line_width(STDOUT_FILENO)), *asked.json);
  return exit_code(all);
}

}  // namespace

Document status_document(const std::vector<run::PartitionStatus>& all, std::size_t width) {
  std::string table = text_table(table_of(all), 1, width);
  table.pop_back();  // a line has its end from the document
  Document document;
  document.add("journals", base::Json::array(), {table});
  document.add("runs", base::Json::array());
  for (const run::PartitionStatus& one : all) {
    for (const run::JournalEntry& entry : one.journals) add_journal(document, entry);
    add_run(document, one);
  }
  add_sum(document, all);
  return document;
}

std::string unreadable_text(const std::vector<run::PartitionStatus>& all) {
  std::string text;
  for (const run::PartitionStatus& one : all)
    for (const run::UnreadableJournal& journal : one.unreadable)
      text += base::printable("poslab: " + journal.problem) + "\n";
  return text;
}

Command status_command() {
  return with_action(
      {.name = "status",
       .sentence = "progress of runs, from their journals",
       .usage = "FILE...",
       .what = "FILE: a results file that a run writes or will write, its journal, or a study that "
               "writes to its default output. Shards are found beside it.",
       .shown = {"poslab status quickstart.toml", "poslab status a.h5 --json"},
       .exit_codes = "0 every cell is done, 2 there is no such journal, 3 done, but some cells failed, 4 "
                     "some are left.",
       .json = "journals, runs, sum"},
      status);
}

}  // namespace poslab::app
