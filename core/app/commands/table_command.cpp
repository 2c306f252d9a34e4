// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/scheme_parameters.hpp"
#include "poslab/app/arguments/table_positions.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/app/text/table_text.hpp"
#include "poslab/run/library.hpp"
#include "poslab/run/scheme_arrays.hpp"

namespace po = boost::program_options;

namespace poslab::app {
int table_command(const std::vector<std::string>& arguments) {
  Options options("table");
  options.add()("output,o", po::value<std::string>()->value_name("FILE"),
                "write the arrays as HDF5; replaces tables only");
  add_position_options(options);
  add_time_limit_option(options, table_seconds);
  options.add()("seed", po::value<std::uint64_t>()->default_value(0)->value_name("N"), "for untrained weights");
  add_variant_options(options, 64, 4);
  add_plugin_option(options);
  options.positional("SCHEME", 1, 1);
  const auto values = options.parse(arguments);
  const bool to_file = values.count("output") > 0;
  if (to_file) run::require_table_writable(output_of(values));
  const host::Library library = run::open_library(plugin_directories(values));
  print(stderr, notices_text(library));
  const auto plugin = host::Plugin::open(library.at(values["SCHEME"].as<std::vector<std::string>>().front()).file);
  const TablePositions asked = table_positions_of(values);
  host::Model model = model_of(values);
  model.train_length = asked.train_length();
  const host::Scheme scheme(plugin, parameters_of(values, plugin->info()), model);
  const run::SchemeArrays arrays =
      run::arrays_of(scheme, asked.positions, asked.placement.axis_names(), values["seed"].as<std::uint64_t>());
  print(stdout, table_heading(arrays, scheme, asked.text));
  if (isatty(STDOUT_FILENO) != 0 || !to_file) print_as_it_is(stdout, pictures_text(arrays, asked.placement));
  if (to_file) {
    run::write_table(output_of(values), arrays);
    print(stdout, written_text(arrays, output_of(values)));
  }
  return all_well;
}

}  // namespace poslab::app
