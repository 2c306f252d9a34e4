// SPDX-License-Identifier: Apache-2.0
// Facts of machine and build that a results file keeps beside its numbers, and never among them.
#pragma once

#include <chrono>

#include "poslab/app/study_run.hpp"
#include "poslab/results/writer.hpp"

namespace poslab::app {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::string started() const;  ///< UTC, ISO 8601

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point date_ = std::chrono::system_clock::now();
};

results::Provenance provenance_of(const spec::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch);

}  // namespace poslab::app
