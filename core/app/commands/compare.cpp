// SPDX-License-Identifier: Apache-2.0
#include "commands/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

std::string printable_line(const std::string& text) { return base::printable(text) + "\n"; }

constexpr std::size_t max_objects = 20;  // of an exact comparison, without --verbose

// What differs of one measure, or of the states of an experiment's cells.
struct DifferingMeasure {
  const results::Difference* worst;
  std::size_t cells = 0, values = 0;
};

std::vector<DifferingMeasure> grouped(const std::vector<results::Difference>& all) {
  std::vector<DifferingMeasure> groups;
  for (const results::Difference& one : all) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const DifferingMeasure& known) {
      return known.worst->experiment == one.experiment && known.worst->measure == one.measure;
    });
    if (group == groups.end()) group = groups.insert(group, {&one});
    if (one.excess > group->worst->excess) group->worst = &one;
    ++group->cells, group->values += one.values;
  }
  std::ranges::stable_sort(
      groups, {}, [](const DifferingMeasure& one) -> auto& { return one.worst->experiment; });
  return groups;
}

std::string measure_line(const DifferingMeasure& group, const results::Comparison& comparison) {
  const results::Difference& worst = *group.worst;
  if (worst.measure.empty())
    return printable_line(fmt::format("  {}: {}; {}{}", worst.cell.empty() ? "declared" : "state",
                                      base::counted(group.cells, "difference"),
                                      worst.cell.empty() ? "" : worst.cell + " ", worst.what));
  const auto compared = comparison.values_of.find({worst.experiment, worst.measure});
  const std::string of_all =
      compared == comparison.values_of.end() ? "" : fmt::format(" of {}", base::counted(compared->second, "value"));
  return printable_line(fmt::format("  {}: {}{} in {}; worst: {}: {}", worst.measure, group.values, of_all,
                                    base::counted(group.cells, "cell"), worst.cell.empty() ? worst.where : worst.cell,
                                    worst.what));
}

std::string by_measure(const results::Comparison& comparison) {
  std::string text, experiment;
  for (const DifferingMeasure& group : grouped(comparison.differences)) {
    if (group.worst->experiment != experiment) text += printable_line(group.worst->experiment);
    experiment = group.worst->experiment;
    text += measure_line(group, comparison);
  }
  return text;
}

std::string one_by_one(const std::vector<results::Difference>& all, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
    text += printable_line(all[i].where + ": " + all[i].what);
  if (all.size() > most) text += fmt::format("... and {} more (--verbose shows them)\n", all.size() - most);
  return text;
}

std::string reasons_of(const results::Comparison& comparison) {
  if (comparison.reasons.empty()) return "";
  std::string text = comparison.compared_cells == 0 ? "no cell of one file is in the other:\n"
                                                    : "why cells of one file are not in the other:\n";
  for (const std::string& reason : comparison.reasons) text += printable_line("  " + reason);
  return text;
}

// What became of the numbers from one version to the other.
std::string versions_text(const results::Comparison& comparison) {
  if (comparison.between_versions.empty()) return "";
  const results::Comparison& between = comparison.between_versions.front();
  const std::string of = fmt::format("{}, alike but for these versions", base::counted(between.compared_cells, "cell"));
  if (between.differences.empty()) return fmt::format("the numbers of {}, are equal within tolerance\n", of);
  return fmt::format("from one version to the other, in {}:\n", of) + by_measure(between);
}

struct CompareOptions final : ContainedOptions {
  CompareOptions() : ContainedOptions("one of the files") { words = {2, 2, results_files}; }
  Flag exact{this, flag("exact", "every object outside provenance, bit for bit")};
  Flag verbose{this, flag("verbose", "a line for each cell that differs, not for each measure")};
};

int compare(const CompareOptions& asked) {
  const std::string &first = asked.words.given[0], &second = asked.words.given[1];
  const results::Comparison comparison =
      *asked.exact ? results::compare_exact(first, second) : results::compare_within_tolerance(first, second);
  print(stdout, compare_text(comparison, {first, second, *asked.exact}, *asked.verbose));
  return comparison.equal() ? all_well : expectation_failed;
}

}  // namespace

std::string compare_text(const results::Comparison& comparison, const ComparedFiles& files, bool verbose) {
  const std::vector<results::Difference>& all = comparison.differences;
  std::string text = verbose       ? one_by_one(all, all.size())
                     : files.exact ? one_by_one(all, max_objects)
                                   : by_measure(comparison);
  text += reasons_of(comparison) + versions_text(comparison);
  const char* verdict = !comparison.equal() ? "different"
                        : files.exact       ? "equal bit for bit"
                                            : "equal within tolerance";
  return text + fmt::format("{} compared, {} only in {}, {} only in {}, {}: {}\n",
                            base::counted(comparison.compared_cells, "cell"), comparison.only_in_first,
                            base::printable(files.first), comparison.only_in_second, base::printable(files.second),
                            base::counted(all.size(), "difference"), verdict);
}

Command compare_command() {
  return with_action(
      {.name = "compare",
       .sentence = "what differs between two results files",
       .usage = "A.h5 B.h5",
       .what = "Joins cells on their identity and compares each measure within its tolerance: a line for "
               "each measure that differs, with the worst of its values.",
       .shown = {"poslab compare before.h5 after.h5", "poslab compare before.h5 after.h5 --verbose"},
       .exit_codes = "0 equal, 1 different, 2 a file cannot be read."},
      compare);
}

}  // namespace poslab::app
