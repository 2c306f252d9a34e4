// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/plugins.hpp"
#include "poslab/app/arguments/shared_files.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/find_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/run/library.hpp"

namespace poslab::app {

int find_command(const std::vector<std::string>& arguments) {
  Options options("find");
  options.add()("all", "everything, and not the nearest few of each kind")("json", "as JSON: all");
  add_plugin_option(options);
  options.positional("WORD", 1, std::numeric_limits<std::size_t>::max());
  const auto values = options.parse(arguments);
  const auto words = values["WORD"].as<std::vector<std::string>>();
  const host::Library library = run::open_library(plugin_directories(values));
  print(stderr, notices_text(library));
  const data::Catalogue catalogue = run::catalogue_of(library);
  const std::vector<run::Hit> found = run::find(words, catalogue, shared_folder());
  if (values.count("json") > 0) print(stdout, base::json_text(hits_json(found), 1) + "\n");
  if (found.empty()) throw run::NothingFound(words, catalogue);
  if (values.count("json") == 0) print(stdout, hits_text(found, shared_folder(), values.count("all") > 0));
  return all_well;
}

}  // namespace poslab::app
