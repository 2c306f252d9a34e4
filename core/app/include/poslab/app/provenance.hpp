// SPDX-License-Identifier: Apache-2.0
// Facts of machine and build that a results file keeps beside its numbers, and never among them.
#pragma once

#include <chrono>
#include <ctime>
#include <vector>

#include "poslab/app/study_run.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/journal.hpp"

namespace poslab::app {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::string started() const;  ///< as `utc` writes it

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point date_ = std::chrono::system_clock::now();
};

std::string utc(std::time_t time);  ///< ISO 8601

/// Of the last attempt, but for `machines`: those on which the cells were performed, in whatever attempt.
results::Provenance provenance_of(const spec::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch,
                                  const std::vector<run::JournalMachine>& machines);

}  // namespace poslab::app
