// SPDX-License-Identifier: Apache-2.0
// Facts of machine and build that a results file keeps beside its numbers, never among them.
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "poslab/journal/journal.hpp"
#include "poslab/results/writer.hpp"
#include "poslab/run/run_request.hpp"

namespace poslab::run {

/// When something began and how long it has taken: for provenance alone.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  std::string started() const;  ///< as `utc` writes it

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::system_clock::time_point date_ = std::chrono::system_clock::now();
};

std::string utc(std::time_t time);  ///< ISO 8601

/// What a run says of itself when it begins: its study, its program, its machine.
results::Provenance provenance_of(const study::Study& study, const RunRequest& request,
                                  const results::Description& description, const Stopwatch& watch);

/// On which cells were performed, in this run or an earlier one, as `provenance/machines` has it.
std::string machines_text(const std::vector<journal::JournalMachine>& machines);
/// Builds, and what each performed, as `provenance/builds` has them.
std::string builds_text(const std::vector<journal::JournalBuild>& builds);

/// The words of a command as a JSON list, `["poslab", "run", "study.toml"]`: nothing has to be unquoted to read it
/// back.
std::string command_line_text(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace poslab::run
