// SPDX-License-Identifier: Apache-2.0
// `poslab new scheme NAME`: a folder that builds, tests and checks.
#include <fmt/format.h>

#include <cstdio>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/new_text.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/text.hpp"

namespace po = boost::program_options;

namespace poslab::app {

int new_command(const std::vector<std::string>& arguments) {
  Options options("new");
  options.add()("dir", po::value<std::string>()->default_value(".")->value_name("DIR"), "make the folder in here")(
      "family", po::value<std::string>()->default_value("additive")->value_name("FAMILY"),
      ("one of " + base::enumerate(scaffold::families())).c_str());
  options.positional("scheme NAME", 2, 2);
  const auto values = options.parse(arguments);
  const auto words = values["scheme NAME"].as<std::vector<std::string>>();
  if (words[0] != "scheme") throw UsageError(fmt::format("\"{}\" cannot be made; a scheme can", words[0]));
  const scaffold::SchemeFolder written =
      scaffold::write_scheme_folder(words[1], values["family"].as<std::string>(), values["dir"].as<std::string>());
  print_as_it_is(stdout, new_scheme_text(written));  // commands to copy
  return all_well;
}

}  // namespace poslab::app
