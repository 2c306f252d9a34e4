// SPDX-License-Identifier: Apache-2.0
// Why shards cannot be merged, in words.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "merge/shard_set.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::run {
namespace {

using Kind = MergeProblem::Kind;

// Labels contain commas.
std::string labels(const std::vector<std::string>& cells) {
  constexpr std::size_t most = 3;
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(std::min(most, cells.size()));
  return fmt::format("{}{}", fmt::join(cells.begin(), end, "; "),
                     cells.size() > most ? fmt::format("; and {} more", cells.size() - most) : "");
}

ShardToRun to_run(const Shard& like, int index) {
  const journal::ShardRecord& record = like.journal.record;
  const auto text = [&](const char* name) {
    const auto found = record.provenance.find(name);
    return found == record.provenance.end() ? "" : found->second;
  };
  return {{index, record.shard.count}, text("study_path"), text("command_line")};
}
ShardToRun to_run(const Shard& shard) { return to_run(shard, shard.journal.record.shard.index); }

std::string lines(const std::vector<MergeProblem>& problems) {
  std::string text = "these files cannot be merged:";
  for (const MergeProblem& problem : problems) text += "\n  " + base::printable(to_text(problem));
  return text;
}

}  // namespace

std::string to_text(const MergeProblem& problem) {
  const bool names_it = problem.file.empty() || problem.text.rfind(problem.file, 0) == 0;
  return names_it ? problem.text : problem.file + ": " + problem.text;
}

NotMergeable::NotMergeable(std::vector<MergeProblem> problems_)
    : base::Error(Kind::request, lines(problems_)), problems(std::move(problems_)) {}

MergeProblem contradiction(const Shard& first, const Shard& second, std::vector<std::string> cells) {
  const std::string text = fmt::format(
      "and {} hold the same {} with different results: {}; leave one of the two files out, or run shard {} again",
      first.name, cells.size() > 1 ? "cells" : "cell", labels(cells), second.journal.record.shard.text());
  return {Kind::contradiction, second.name, text, first.name, {}, std::move(cells)};
}

MergeProblem unfinished(const Shard& shard, std::vector<std::string> cells) {
  const std::string& writer = shard.journal.status.writer;
  const std::string text = fmt::format("is not finished: {} of its {} did not run ({}){}", cells.size(),
                                       base::counted(shard.journal.record.cells.size(), "cell"), labels(cells),
                                       writer.empty() ? "" : fmt::format(", and another process is at it, {}", writer));
  return {Kind::unfinished, shard.name, text, {}, {}, std::move(cells), to_run(shard)};
}

MergeProblem damaged_records(const Shard& shard, std::vector<std::string> cells) {
  const std::string text = fmt::format("has {} whose checksum is wrong: {}", cells.size() > 1 ? "records" : "a record",
                                       base::enumerate(cells, 3));
  return {Kind::damaged, shard.name, text, {}, {}, std::move(cells), to_run(shard)};
}

MergeProblem missing_shards(const Shard& any, std::vector<int> shards) {
  std::vector<std::string> numbers;
  for (const int shard : shards) numbers.push_back(std::to_string(shard));
  const std::string text =
      fmt::format("shard{} {} of {} {} missing", shards.size() > 1 ? "s" : "", base::enumerate(numbers, 100),
                  any.journal.record.shard.count, shards.size() > 1 ? "are" : "is");
  ShardToRun first = to_run(any, shards.front());
  return {Kind::missing, "", text, {}, std::move(shards), {}, std::move(first)};
}

MergeProblem shards_not_given(const std::vector<std::string>& names) {
  return {Kind::missing, "",
          fmt::format("{} {} there, but not among the files given", base::enumerate(names, 5),
                      names.size() > 1 ? "are" : "is")};
}

MergeProblem missing_cells(std::size_t count, std::size_t whole) {
  return {Kind::missing, "",
          fmt::format("{} of the plan's {} {} in none of the shards", count, base::counted(whole, "cell"),
                      count == 1 ? "is" : "are")};
}

}  // namespace poslab::run
