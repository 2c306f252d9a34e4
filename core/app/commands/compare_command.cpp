// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/compare_text.hpp"
#include "poslab/app/text/print.hpp"

namespace poslab::app {

int compare_command(const std::vector<std::string>& arguments) {
  Options options("compare");
  options.add()("exact", "every object outside provenance, bit for bit")(
      "verbose", "a line for each cell that differs, not for each measure");
  add_file_time_limit_option(options);
  options.positional("FILE", 2, 2);
  const auto values = options.parse(arguments);
  const auto files = values["FILE"].as<std::vector<std::string>>();
  const bool exact = values.count("exact") > 0;
  const results::Comparison comparison =
      exact ? results::compare_exact(files[0], files[1]) : results::compare_within_tolerance(files[0], files[1]);
  print(stdout, compare_text(comparison, {files[0], files[1], exact}, values.count("verbose") > 0));
  return comparison.equal() ? all_well : expectation_failed;
}

}  // namespace poslab::app
