// SPDX-License-Identifier: Apache-2.0
// The sub-commands of `poslab`, one file each.
#pragma once

#include <string>
#include <vector>

namespace poslab::app {

/// Exit codes of the whole program.
enum Exit : int {
  all_well = 0,
  expectation_failed = 1,  ///< or `compare` found a difference
  wrong_input = 2,         ///< the study, an option or a file is wrong; nothing ran
  cells_failed = 3,        ///< the results file is complete and says which
  /// What is done is safe, the same command goes on: a disk that is full or failing; --fail-fast; `status` found cells
  /// left.
  unfinished = 4,
  busy = 75,  ///< another process is at this file: the same again later (EX_TEMPFAIL)
  interrupted = 130
};

/// Between ourselves: before a command that its parent waits for.
inline constexpr const char* in_child = "in-child";

struct Command {
  const char* name;
  const char* sentence;
  const char* help;  ///< usage and examples; the options are added from their declaration
  int (*run)(const std::vector<std::string>& arguments);
  const char* culprit = nullptr;  ///< what could end its process: then it runs in a child
};

int run_command(const std::vector<std::string>& arguments);
int list_command(const std::vector<std::string>& arguments);
int describe_command(const std::vector<std::string>& arguments);
int table_command(const std::vector<std::string>& arguments);
int new_command(const std::vector<std::string>& arguments);
int merge_command(const std::vector<std::string>& arguments);
int compare_command(const std::vector<std::string>& arguments);
int status_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int submit_command(const std::vector<std::string>& arguments);
int worker_command(const std::vector<std::string>& arguments);

const std::vector<Command>& commands();
/// The whole program. Never throws.
int main_program(const std::vector<std::string>& arguments);

}  // namespace poslab::app
