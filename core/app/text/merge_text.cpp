// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/merge_text.hpp"

#include <fmt/format.h>

#include "poslab/app/text/summary.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

std::string note(const char* sentence, const std::set<std::string>& words) {
  return words.size() < 2 ? ""
                          : fmt::format("poslab: {}: {}\n", sentence,
                                        base::printable(base::enumerate({words.begin(), words.end()})));
}

}  // namespace

std::string mixture_text(const run::Mixture& mixture) {
  return note("these shards were made by builds of different commits", mixture.commits) +
         note("these shards were made on different processors, so that another run may differ in last bits",
              mixture.processors);
}

StyledText merge_text(const run::MergeResult& result, const std::string& output, const SummaryStyle& style) {
  if (result.ending == run::Ending::interrupted) return "";
  StyledText text = summary({result.title, output, result.cells, result.catalogue, result.outcomes, result.expectations,
                             result.answers, result.plugin_checks, result.weights_files},
                            style) +
                    closing_line(result.outcomes, result.seconds, output);
  if (!result.complete) text += fmt::format("partial: {} of {} cells\n", result.cells.size(), result.planned);
  return text;
}

}  // namespace poslab::app
