// SPDX-License-Identifier: Apache-2.0
// What a run, a merge and a results file all come to, as the texts of this room see it.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/answer.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/plugin_check.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/run/outcome_summary.hpp"

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

}  // namespace poslab::app
