// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/status_text.hpp"
#include "poslab/app/text/terminal.hpp"
#include "poslab/run/run_status.hpp"

namespace poslab::app {

int status_command(const std::vector<std::string>& arguments) {
  Options options("status");
  options.add()("json", "as JSON");
  options.positional("FILE", 1, std::numeric_limits<std::size_t>::max());
  const auto values = options.parse(arguments);
  const std::vector<run::PartitionStatus> all = run::status_of(values["FILE"].as<std::vector<std::string>>());
  print(stderr, unreadable_text(all));
  if (std::any_of(all.begin(), all.end(), [](const run::PartitionStatus& one) { return !one.journals.empty(); }))
    values.count("json") > 0 ? print_as_it_is(stdout, status_json(all))
                             : print(stdout, status_text(all, line_width(STDOUT_FILENO)));
  return exit_code(all);
}

}  // namespace poslab::app
