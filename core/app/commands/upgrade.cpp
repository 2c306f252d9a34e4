// SPDX-License-Identifier: Apache-2.0
// `poslab upgrade`: results files of earlier schemas as files of today's.
#include "poslab/results/upgrade.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "options/shared_options.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/results/writer.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

struct UpgradeOptions final : ContainedOptions {
  UpgradeOptions() : ContainedOptions("the file") { words = {1, 1, results_files}; }
};

results::DeclaredColumns declared_columns() {
  results::DeclaredColumns columns;
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    if (experiment.answers) columns.emplace(experiment.info.id, experiment.column);
  return columns;
}

int upgrade_file(const UpgradeOptions& asked) {
  const std::string& file = asked.words.given.front();
  const std::string before = results::upgrade(file, declared_columns());
  const std::string today = fmt::format("{}.{}", results::schema_version, results::schema_minor);
  print(stdout, before.empty() ? fmt::format("{} has schema {} already\n", base::printable(file), today)
                               : fmt::format("{}: schema {} to {}\n", base::printable(file), before, today));
  return all_well;
}

}  // namespace

Command upgrade_command() {
  return with_action(
      {.name = "upgrade",
       .sentence = "a results file of an earlier poslab, for this one",
       .usage = "FILE.h5",
       .what =
           "Rewrites a results file of an earlier schema in its place, whole or not at all. Measures, marks, numbers "
           "and sentences stay as they are.",
       .shown = {"poslab upgrade old.h5", "poslab upgrade large.h5 --time-limit 3600"},
       .exit_codes = "0 it has today's schema now, 2 the file cannot be read, 4 the disk is full."},
      upgrade_file);
}

}  // namespace poslab::app
