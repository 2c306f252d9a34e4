// SPDX-License-Identifier: Apache-2.0
// What a run, a merge and a results file come to, in words: the table of answers, all measures, what failed, what was
// expected.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "poslab/data/answer_table.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/plugin_check.hpp"
#include "poslab/run/outcome_summary.hpp"
#include "terminal/styled_text.hpp"

namespace poslab::app {

struct Conclusions {
  const std::string& title;
  const std::string& file;
  const std::vector<data::Cell>& cells;
  const data::Catalogue& catalogue;  ///< has the experiments of these cells
  const run::OutcomeSummaries& outcomes;
  const std::vector<data::ExpectationResult>& expectations;
  const data::AnswerTable& answers;
  const data::PluginChecks& plugin_checks;
  const std::vector<data::WeightsFile>& weights_files;
};

struct SummaryStyle {
  std::size_t width = 80;  ///< characters in a line
  bool verbose = false;    ///< every measure and every expectation as well
  std::size_t height = 0;  ///< lines that a person sees at the end; 0: all
};
/// For standard output as it is.
SummaryStyle summary_style(bool verbose);

/// The table of answers; all measures of the experiments that give none; what failed; expectations; what to do next.
StyledText summary(const Conclusions& run, const SummaryStyle& style);
/// What networks do at each task, where several variants were trained on several: a line for each variant, and for each
/// task a mean over repeats at the trained sizes and at larger ones. Empty elsewhere.
StyledText tasks_text(const Conclusions& run, std::size_t width);
/// What failed, by experiment, scheme and reason; empty if nothing did.
StyledText failures_text(const Conclusions& run);
/// "60 cells ok, 2 skipped, 0 failed in 12 s: a.h5"
std::string closing_line(const run::OutcomeSummaries& outcomes, double seconds, const std::string& file);
/// "60 cells ok, 2 skipped, 3 of 65 not run"
std::string count_line(const run::OutcomeSummaries& outcomes, std::size_t planned);

/// What stands beside a table of answers.
struct TableNotes {
  std::map<std::string, std::string> doubts = {};  ///< of a variant's plugin, by its label; none: it keeps its promises
  std::vector<std::string> weights_files = {};     ///< where the trained weights are from
};
/// A line for each variant, a column for each question, with a legend that explains whatever is printed. Empty if
/// nothing was answered. A name that is too long has a line of its own; columns that do not fit continue below.
StyledText answers_text(const data::AnswerTable& table, const SummaryStyle& style, const TableNotes& notes = {});
/// A line for each question: how many rows say what, and which, as far as there is room.
std::string digest_text(const data::AnswerTable& table, std::size_t width);
/// Every answer in full, by question.
StyledText sentences_text(const data::AnswerTable& table, const SummaryStyle& style);
/// What a dagger at a name means, in lines of at most `width` characters; empty if there are no trainings.
std::string trainings_text(const std::vector<std::string>& trainings, const std::vector<std::string>& weights_files,
                           std::size_t width);

/// All measures: for each experiment schemes down, measures across, mean and standard error over repeats. A table that
/// is wider than `width` characters continues below itself. Skipped cells are named with their sentences.
std::string details_text(const Conclusions& run, const std::vector<std::string>& experiments, std::size_t width);

/// How many hold, and each that does not; with `verbose` each.
std::string expectations_text(const std::vector<data::ExpectationResult>& expectations, bool verbose);

}  // namespace poslab::app
