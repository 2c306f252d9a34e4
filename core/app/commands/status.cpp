// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "terminal/terminal.hpp"
#include "terminal/text_table.hpp"

namespace poslab::app {
namespace {

std::string words_of(const journal::JournalStatus& status) {
  if (!status.begun) return status.writer.empty() ? "ended before it began" : "being planned by " + status.writer;
  if (status.writer.empty()) return status.left() == 0 ? "complete" : "stopped: nobody writes it";
  std::string text = "written by " + status.writer;
  if (status.rate > 0)
    text += fmt::format(", {:.3g} cells/s, {} left if they go on like this", status.rate,
                        base::human_seconds(status.seconds_left()));
  return text;
}

// The newest.
std::string checkpoints_text(const journal::JournalStatus& status) {
  constexpr std::size_t most = 10;
  const std::size_t count = status.checkpoints.size(), left_out = count - std::min(count, most);
  std::string text;
  for (std::size_t i = left_out; i < count; ++i) {
    const journal::KnownCheckpoint& checkpoint = status.checkpoints[i];
    text += base::printable(fmt::format("  {} of {} has a checkpoint: {}", checkpoint.experiment, checkpoint.variant,
                                        checkpoint.progress.sentence)) +
            "\n";
  }
  return text + (left_out > 0 ? fmt::format("  and {} more cells\n", left_out) : "");
}

std::vector<std::vector<std::string>> table_of(const std::vector<run::PartitionStatus>& all) {
  std::vector<std::vector<std::string>> rows{
      {"journal", "planned", "ok", "failed", "crashed", "timeout", "skipped", "left"}};
  const auto row = [&](const std::string& name, const run::CellCounts& s) {
    rows.push_back({name});
    for (const std::int64_t number : {s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, s.left})
      rows.back().push_back(std::to_string(number));
  };
  std::size_t journals = 0;
  for (const run::PartitionStatus& one : all) {
    for (const auto& [path, status] : one.journals) row(path, run::counts_of(status));
    journals += one.journals.size();
    if (all.size() > 1 && one.journals.size() > 1)
      row(one.partition.output.string() + " " + one.partition.text(), run::counts_of(one));
  }
  if (journals > 1 && run::divided_in_several_ways(all).empty()) row("all", run::counts_of(all));
  return rows;
}

std::string missing_text(const journal::Partition& partition) {
  std::vector<std::string> numbers;
  for (const int number : partition.missing)
    if (numbers.size() < 20) numbers.push_back(std::to_string(number));
  return fmt::format("{} of {} of {} {} not begun: {}{}\n", partition.missing.size(),
                     base::counted(partition.shards, "shard"), base::printable(partition.output.string()),
                     partition.missing.size() == 1 ? "has" : "have", base::enumerate(numbers),
                     partition.missing.size() > numbers.size() ? " ..." : "");
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
    *asked.json ? print_as_it_is(stdout, status_json(all)) : print(stdout, status_text(all, line_width(STDOUT_FILENO)));
  return exit_code(all);
}

}  // namespace

std::string status_text(const std::vector<run::PartitionStatus>& all, std::size_t width) {
  std::string text = text_table(table_of(all), 1, width);
  for (const run::PartitionStatus& one : all) {
    for (const auto& [path, status] : one.journals)
      text += base::printable(fmt::format("{}: {}", path, words_of(status))) + "\n" + checkpoints_text(status);
    if (!one.partition.missing.empty()) text += missing_text(one.partition);
  }
  for (const std::string& output : run::divided_in_several_ways(all)) {
    std::vector<std::string> partitions;
    for (const run::PartitionStatus& one : all)
      if (one.partition.output.lexically_normal() == output) partitions.push_back(one.partition.text());
    text += fmt::format(
        "{} was begun in several ways: {}; each has all cells for itself (name the journals of one to see it alone, "
        "and delete those of what you have given up)\n",
        base::printable(output), fmt::join(partitions, ", "));
  }
  return text;
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
                     "some are left."},
      status);
}

}  // namespace poslab::app
