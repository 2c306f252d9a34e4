// SPDX-License-Identifier: Apache-2.0
// The sub-commands of `poslab`, one file each.
#pragma once

#include <string>
#include <vector>

#include "poslab/app/exit_code.hpp"

namespace poslab::app {

struct Command {
  const char* name;
  const char* sentence;
  const char* help;  ///< usage and examples; the options are added from their declaration
  int (*run)(const std::vector<std::string>& arguments);
  const char* suspect = nullptr;  ///< what could end its process: then it runs in a child
  double time_limit = 0;          ///< of that child, in seconds, unless --time-limit says otherwise
  double for_each_megabyte = 0;   ///< seconds that it has beyond that for the files named among its arguments
};

int run_command(const std::vector<std::string>& arguments);
int list_command(const std::vector<std::string>& arguments);
int describe_command(const std::vector<std::string>& arguments);
int find_command(const std::vector<std::string>& arguments);
int table_command(const std::vector<std::string>& arguments);
int new_command(const std::vector<std::string>& arguments);
int merge_command(const std::vector<std::string>& arguments);
int compare_command(const std::vector<std::string>& arguments);
int status_command(const std::vector<std::string>& arguments);
int summary_command(const std::vector<std::string>& arguments);
int report_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int submit_command(const std::vector<std::string>& arguments);
int verify_command(const std::vector<std::string>& arguments);
// Internal: what children of this program do, the shell's completion and the build.
int look_command(const std::vector<std::string>& arguments);
int weights_command(const std::vector<std::string>& arguments);
int worker_command(const std::vector<std::string>& arguments);
int complete_command(const std::vector<std::string>& arguments);
int manual_command(const std::vector<std::string>& arguments);

const std::vector<Command>& commands();
const Command* command_of(const std::string& name);  ///< null if there is none

}  // namespace poslab::app
