// SPDX-License-Identifier: Apache-2.0
#include "merge/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

using Kind = MergeProblem::Kind;

// Labels contain commas.
std::string labels(const std::vector<std::string>& cells) {
  constexpr std::size_t most = 3;
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(std::min(most, cells.size()));
  return fmt::format("{}{}", fmt::join(cells.begin(), end, "; "),
                     cells.size() > most ? fmt::format("; and {} more", cells.size() - most) : "");
}

ShardToRun to_run(const ShardFile& like, const data::Shard& shard) {
  const auto text = [&](const char* name) {
    const auto found = like.provenance.find(name);
    return found == like.provenance.end() ? "" : found->second;
  };
  return {shard, text("study_path"), text("command_line")};
}

}  // namespace

MergeProblem contradiction(const ShardFile& first, const ShardFile& second, std::vector<std::string> cells) {
  const std::string text = fmt::format(
      "and {} hold the same {} with different results: {}; leave one of the two files out, or run shard {} again",
      first.path, cells.size() > 1 ? "cells" : "cell", labels(cells), second.shard.text());
  return {Kind::contradiction, second.path, text, first.path, {}, std::move(cells)};
}

MergeProblem unfinished(const ShardFile& file, std::vector<std::string> cells) {
  const std::string text = fmt::format("is not finished: {} of its {} did not run ({})", cells.size(),
                                       base::counted(file.indices.size(), "cell"), labels(cells));
  return {Kind::unfinished, file.path, text, {}, {}, std::move(cells), to_run(file, file.shard)};
}

MergeProblem damaged_records(const ShardFile& file, std::vector<std::string> cells) {
  const std::string text = fmt::format("has {} whose checksum is wrong: {}", cells.size() > 1 ? "records" : "a record",
                                       base::enumerate(cells, 3));
  return {Kind::damaged, file.path, text, {}, {}, std::move(cells), to_run(file, file.shard)};
}

MergeProblem missing_shards(const ShardFile& any, std::vector<int> shards) {
  std::vector<std::string> numbers;
  for (const int shard : shards) numbers.push_back(std::to_string(shard));
  const std::string text =
      fmt::format("shard{} {} of {} {} missing", shards.size() > 1 ? "s" : "", base::enumerate(numbers, 100),
                  any.shard.count, shards.size() > 1 ? "are" : "is");
  ShardToRun first = to_run(any, {shards.front(), any.shard.count});
  return {Kind::missing, "", text, {}, std::move(shards), {}, std::move(first)};
}

MergeProblem files_not_given(const std::vector<std::string>& files) {
  return {Kind::missing, "",
          fmt::format("{} {} there, but not among the files given", base::enumerate(files, 5),
                      files.size() > 1 ? "are" : "is")};
}

MergeProblem missing_cells(std::size_t count, std::size_t whole) {
  return {Kind::missing, "",
          fmt::format("{} of the plan's {} {} in none of the shards", count, base::counted(whole, "cell"),
                      count == 1 ? "is" : "are")};
}

}  // namespace poslab::results
