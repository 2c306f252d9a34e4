// SPDX-License-Identifier: Apache-2.0
// The shards of a run become the file of one run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "poslab/app/commands.hpp"
#include "poslab/app/merge_provenance.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/output.hpp"
#include "poslab/app/summary.hpp"
#include "poslab/app/terminal.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/results/merge.hpp"
#include "poslab/run/expectations.hpp"
#include "poslab/run/machine.hpp"
#include "poslab/run/shards.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

struct Interrupted {};

void refuse_output_among(const std::vector<std::string>& files, const std::string& output) {
  std::error_code none;
  for (const std::string& file : files)
    if (std::filesystem::equivalent(file, output, none))
      throw base::FileError(output, "is one of the shards", "choose another file with -o");
}

Outcomes shown_outcomes(const results::Merge& merge, const std::vector<base::Cell>& cells) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& all = merge.description.experiments;
    const auto info = std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.id == cells[i].experiment; });
    if (info == all.end()) throw base::Error("a shard has a cell of an experiment that it does not name");
    outcomes.emplace_back(brief_of(merge.outcome(i), *info));
  }
  return outcomes;
}

// With shards left out nobody knows how many cells an expectation speaks of.
std::vector<base::ExpectationResult> judged(const results::Merge& merge, const std::vector<base::Cell>& cells) {
  if (!merge.description.complete) return run::left_to_merge(merge.expectations);
  return run::judge(merge.expectations, cells, [&](std::size_t i) { return std::optional(merge.outcome(i)); });
}

Exit exit_of(const results::Description& description, const Outcomes& outcomes,
             const std::vector<base::ExpectationResult>& expectations) {
  if (!description.complete) return cells_failed;
  for (const auto& outcome : outcomes)
    if (outcome->status != base::Status::ok && outcome->status != base::Status::skipped) return cells_failed;
  const bool all_hold = std::all_of(expectations.begin(), expectations.end(),
                                    [](const auto& e) { return e.verdict == base::Verdict::holds; });
  return all_hold ? all_well : expectation_failed;
}

// The files may come from anybody.
void print(std::FILE* out, const std::string& text) {
  std::fputs(base::printable(text, base::Lines::kept).c_str(), out);
}

void require_replaceable(const std::string& output, const results::Description& description) {
  const char* what_to_do = "choose another file with -o, or replace it with --fresh";
  const results::Found there = look_at(output, std::string("move it away, ") + what_to_do);
  if (there.kind == results::Found::Kind::nothing) return;
  if (there.kind == results::Found::Kind::table) throw base::FileError(output, "holds a table", what_to_do);
  if (there.study_hash != description.study_hash)
    throw base::FileError(output, "holds the results of another study, or of this one before it was changed",
                          what_to_do);
  if (there.complete && !description.complete)
    throw base::FileError(
        output,
        fmt::format("holds all cells of this study, and these shards only some of its {}", description.planned_cells),
        what_to_do);
}

Exit merge_files(const std::vector<std::string>& files, const std::string& output, const po::variables_map& values,
                 const std::vector<std::string>& arguments) {
  const Stopwatch watch;
  const run::InterruptGuard guard;
  results::Merge merge(files, {values.count("mixed-plugins") > 0, values.count("partial") > 0});
  for (const std::string& note : mixture_notes(merge.sources())) print(stderr, "poslab: " + note + "\n");
  require_room(output);
  if (values.count("fresh") == 0) require_replaceable(output, merge.description);
  spec::Plan plan;
  plan.cells = std::move(merge.cells);
  const auto expectations = judged(merge, plan.cells);
  const Outcomes outcomes = shown_outcomes(merge, plan.cells);
  std::vector<results::Row> rows;
  for (std::size_t i = 0; i < plan.cells.size(); ++i)
    rows.push_back({&plan.cells[i], [&merge, &guard, i] {
                      if (guard.stop().load()) throw Interrupted();
                      return merge.outcome(i);
                    }});
  results::Description description = merge.description;
  description.provenance = merge_provenance(merge.sources(), arguments, watch);
  results::write(output, description, rows, expectations);
  base::Catalogue catalogue;
  catalogue.experiments = description.experiments;
  print(stdout, summary(plan, catalogue, outcomes, expectations, terminal_width()));
  print(stdout, closing_line(plan, outcomes, watch.seconds(), output));
  if (!description.complete)
    print(stdout, fmt::format("partial: {} of {} cells\n", rows.size(), description.planned_cells));
  return exit_of(description, outcomes, expectations);
}

}  // namespace

int merge_command(const std::vector<std::string>& arguments) {
  Options options("merge");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"), "results file to write")(
      "mixed-plugins", "take shards that were made with different files of one plugin")(
      "partial", "merge what is there, though shards or cells are missing")("fresh",
                                                                            "replace whatever the output holds");
  options.positional("FILE", 1, std::numeric_limits<std::size_t>::max());
  const po::variables_map values = options.parse(arguments);
  if (values.count("output") == 0) throw UsageError("-o FILE is missing: where the merged results go");
  const std::string output = output_of(values);
  const auto files = values["FILE"].as<std::vector<std::string>>();
  refuse_output_among(files, output);

  try {
    return merge_files(files, output, values, arguments);
  } catch (const Interrupted&) {  // nothing was written
    return interrupted;
  }
}

}  // namespace poslab::app
