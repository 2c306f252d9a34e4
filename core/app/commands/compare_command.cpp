// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/results/compare.hpp"

namespace poslab::app {

int compare_command(const std::vector<std::string>& arguments) {
  Options options("compare");
  options.add()("exact", "every object outside provenance, bit for bit")(
      "most", boost::program_options::value<std::size_t>()->default_value(20)->value_name("N"), "differences to print");
  add_time_limit_option(options, compare_seconds);
  options.positional("FILE", 2, 2);
  const auto values = options.parse(arguments);
  const auto files = values["FILE"].as<std::vector<std::string>>();
  const bool exact = values.count("exact") > 0;
  const results::Comparison comparison =
      exact ? results::compare_exact(files[0], files[1]) : results::compare_within_tolerance(files[0], files[1]);
  const std::size_t most = values["most"].as<std::size_t>();
  for (std::size_t i = 0; i < comparison.differences.size() && i < most; ++i)
    print(stdout, base::printable(comparison.differences[i].where + ": " + comparison.differences[i].what) + "\n");
  if (comparison.differences.size() > most)
    print(stdout, fmt::format("... and {} more\n", comparison.differences.size() - most));
  print(stdout,
        fmt::format("{} cells compared, {} only in {}, {} only in {}, {} differences: {}\n", comparison.compared_cells,
                    comparison.only_in_first, base::printable(files[0]), comparison.only_in_second,
                    base::printable(files[1]), comparison.differences.size(),
                    comparison.equal() ? (exact ? "equal bit for bit" : "equal within tolerance") : "different"));
  return comparison.equal() ? all_well : expectation_failed;
}

}  // namespace poslab::app
