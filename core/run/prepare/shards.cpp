// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "poslab/base/hash.hpp"
#include "poslab/data/expectation.hpp"

namespace poslab::run {
namespace {

base::Error bad_shard(const std::string& option, const std::string& problem) {
  return {base::Error::Kind::argument, fmt::format("--shard {}: {}", option, problem),
          "give one of 3/40 (the third of forty), slurm, slurm/40"};
}

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || text[0] == '-' || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string range_of(int count) { return fmt::format("1/{0} ... {0}/{0}", count); }

int parse_count(const std::string& option, std::string_view text) {
  const std::optional<int> count = whole_number(text);
  if (!count || *count < 1 || *count > data::max_shards)
    throw bad_shard(option, fmt::format("\"{}\" is not from 1 to {} shards", text, data::max_shards));
  return *count;
}

int slurm_number(const std::string& option, const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (!text)
    throw bad_shard(option,
                    fmt::format("{} is not set, so this is no task of a Slurm job array (sbatch --array=1-40)", name));
  const std::optional<int> number = whole_number(text);
  if (!number) throw bad_shard(option, fmt::format("{} is \"{}\", which is no whole number", name, text));
  return *number;
}

// The size of the array is the number of shards. A part of an array would pass for a smaller whole, so whatever can be
// seen to be a part is refused; `slurm/40` is the way to run one.
data::Shard whole_array(const std::string& option, const Environment& environment) {
  const auto number = [&](const char* name) { return slurm_number(option, environment, name); };
  const int id = number("SLURM_ARRAY_TASK_ID"), count = number("SLURM_ARRAY_TASK_COUNT");
  const int first = number("SLURM_ARRAY_TASK_MIN"), last = number("SLURM_ARRAY_TASK_MAX");
  if (first > 1 || last - first + 1 != count || id < first || id > last || count > data::max_shards)
    throw bad_shard(
        option, fmt::format("an array of {} tasks from {} to {} is no 1-N or 0-(N-1): to run a part of the shards, say "
                            "how many there are in all, as in --shard slurm/40, with tasks numbered from 1",
                            count, first, last));
  return {id - first + 1, count};
}

}  // namespace

data::Shard parse_shard(const std::string& option, const Environment& environment) {
  if (option == "slurm") return whole_array(option, environment);
  const std::size_t slash = option.find('/');
  if (slash == std::string::npos) throw bad_shard(option, "names no shard");
  const std::string_view first = std::string_view(option).substr(0, slash);
  const int count = parse_count(option, std::string_view(option).substr(slash + 1));
  const bool is_slurm = first == "slurm";
  const std::optional<int> index =
      is_slurm ? slurm_number(option, environment, "SLURM_ARRAY_TASK_ID") : whole_number(first);
  if (!index || *index < 1 || *index > count)
    throw bad_shard(option, is_slurm ? fmt::format("task {} of the array is none of {}: submit it with --array=1-{}",
                                                   *index, range_of(count), count)
                                     : fmt::format("\"{}\" is none of {}", first, range_of(count)));
  return {*index, count};
}

bool belongs(const data::Shard& shard, const std::string& cell_id) {
  // The identity is a hash already: its first 64 bits are as good as any.
  std::uint64_t bits = 0;
  std::from_chars(cell_id.data(), cell_id.data() + std::min<std::size_t>(16, cell_id.size()), bits, 16);
  return bits % static_cast<std::uint64_t>(shard.count) == static_cast<std::uint64_t>(shard.index - 1);
}

ShardPlan cut(study::Plan whole, const std::optional<data::Shard>& shard) {
  ShardPlan part;
  part.whole = whole.cells.size();
  if (!shard) {
    part.plan = std::move(whole);
    return part;
  }
  part.plan.expectations = std::move(whole.expectations);
  part.plan.families = std::move(whole.families);
  std::string identities, leader;
  for (std::size_t index = 0; index < part.whole; ++index) {
    data::Cell& cell = whole.cells[index];
    identities += cell.id + (cell.skip ? " skipped\n" : "\n");
    // Repeats that share work, which come one after another, go where the first of them goes.
    if (!cell.shares_work || cell.repeat == 0) leader = cell.id;
    if (!belongs(*shard, leader)) continue;
    part.plan.cells.push_back(std::move(cell));
    part.plan.estimates.push_back(whole.estimates[index]);
    part.indices.push_back(index);
  }
  part.plan_hash = base::sha256(identities);
  return part;
}

std::vector<data::ExpectationResult> left_to_merge(const std::vector<data::Expectation>& expectations) {
  std::vector<data::ExpectationResult> results;
  for (const data::Expectation& expectation : expectations) {
    results.push_back({expectation, std::numeric_limits<double>::quiet_NaN(), 0, data::Verdict::not_measured,
                       "judged by poslab merge, which has all cells"});
    data::set_texts(results.back());
  }
  return results;
}

}  // namespace poslab::run
