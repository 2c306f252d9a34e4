// SPDX-License-Identifier: Apache-2.0
// The options of `poslab submit`: those of the job, and those of `poslab run` that its tasks are handed.
#pragma once

#include <memory>

#include "options/shared_options.hpp"
#include "poslab/slurm/submission.hpp"

namespace poslab::app {

struct SubmitOptions final : Options {
  SubmitOptions();
  /// Throws UsageError, base::Error.
  slurm::Submission submission() const;

  std::unique_ptr<Options> of_run;

  Heading job{this, "job"};
  Option<int> tasks, at_once, cpus;
  Text time{this, option("time", "TIME", "longest time of a task, like 2:00:00")};
  Option<Bytes> memory{this, option("memory", "SIZE", "memory of a task, like 4GiB, of which cells get 4/5")};
  Text partition{this, option("partition", "NAME", "partition of the cluster")};
  Option<int> restarts;
  Flag dry_run{this, flag("dry-run", "print what would be submitted, as a bash script, and stop")};
  Heading study{this, "study"};
  Text output;
};

}  // namespace poslab::app
