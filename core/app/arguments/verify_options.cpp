// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/verify_options.hpp"

#include <limits>

#include "poslab/app/arguments/machine_options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/shared_files.hpp"
#include "poslab/app/arguments/supply_options.hpp"
#include "poslab/run/published.hpp"

namespace po = boost::program_options;

namespace poslab::app {

VerifyOptions verify_options(const std::vector<std::string>& arguments) {
  Options options("verify");
  options.add()("trained", "those as well that train networks first: hours")(
      "output,o", po::value<std::string>()->value_name("DIR"), "keep the results files in this folder");
  add_plugin_option(options);
  add_supply_options(options);
  add_threads_option(options);
  add_memory_option(options);
  add_cell_time_option(options);
  options.positional("STUDY", 0, std::numeric_limits<std::size_t>::max());
  const po::variables_map values = options.parse(arguments);

  VerifyOptions asked;
  const bool given = values.count("STUDY") > 0;
  if (given && values.count("trained") > 0)
    throw UsageError("--trained adds studies to those that ship, but here are some given: name those, too");
  asked.studies = given ? values["STUDY"].as<std::vector<std::string>>()
                        : run::published_studies(shared_folder() / "studies/published", values.count("trained") > 0);
  if (values.count("output") > 0) asked.folder = values["output"].as<std::string>();
  asked.request.threads = threads_of(values), asked.request.memory = memory_of(values);
  asked.request.supply = supply_of(values);
  asked.request.command_line = arguments;
  asked.plugin_directories = plugin_directories(values);
  asked.backend.threads = asked.request.threads;
  asked.backend.cell_seconds = cell_time_of(values);
  asked.backend.memory = asked.request.memory + bytes_beside_cells;
  return asked;
}

}  // namespace poslab::app
