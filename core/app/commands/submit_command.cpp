// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/overrides.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/submission.hpp"
#include "poslab/app/arguments/supply_options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/machine.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/sharded_study.hpp"
#include "poslab/slurm/sbatch.hpp"
#include "poslab/slurm/scripts.hpp"
#include "poslab/slurm/submit.hpp"
#include "poslab/workers/backend.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

// What `run` would refuse is refused here, and not by forty tasks tomorrow. Returns how many cells there are to
// perform.
std::size_t check_study(const po::variables_map& values, const slurm::Submission& submission) {
  const auto backend = workers::make_backend({base::processors(), 1, 0, 3600});
  const host::Library library = run::open_library(plugin_directories(values), *backend);
  print(stderr, notices_and_refusals_text(library));
  const run::ShardedStudy asked{submission.source,    submission.output,
                                submission.tasks,     slurm::cells_share * submission.memory,
                                overrides_of(values), supply_of(values)};
  return run::require_runnable(asked, run::catalogue_of(library), *backend);
}

}  // namespace

int submit_command(const std::vector<std::string>& all_arguments) {
  std::vector<std::string> arguments = all_arguments;
  const std::vector<std::string> sbatch_options = take_sbatch_options(arguments);
  Options options("submit");
  add_submission_options(options);
  const po::variables_map values = options.parse(arguments);
  slurm::Submission submission = submission_of(values, values["STUDY"].as<std::vector<std::string>>().front());
  slurm::require_foreign(sbatch_options);
  submission.sbatch_options = sbatch_options;
  const std::size_t cells = check_study(values, submission), tasks = static_cast<std::size_t>(submission.tasks);
  if (tasks > cells)
    print(stderr, fmt::format("poslab: {} tasks for {} cells: at least {} will find nothing to do\n", tasks, cells,
                              tasks - cells));
  if (values.count("dry-run") > 0) {
    print_as_it_is(stdout, slurm::submit_script(submission));
    return all_well;
  }
  const slurm::SubmittedJob array = slurm::submit_tasks(submission);
  print(stderr, array.warnings);
  const slurm::SubmittedJob merge = slurm::submit_merge(submission, array.id);
  print(stderr, merge.warnings);
  print(stdout, fmt::format("job {}: {} tasks for {} cells\njob {}: merges them into {}\nlogs: {}\n", array.id, tasks,
                            cells, merge.id, submission.output, submission.logs));
  return all_well;
}

}  // namespace poslab::app
