// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/plugins.hpp"

#include <fmt/format.h>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::app {

void add_plugin_option(Options& options) {
  options.add()("plugins", boost::program_options::value<std::vector<std::string>>()->value_name("DIR"),
                "look for schemes here, too, and first (may be given again)");
}

host::Library open_library(const boost::program_options::variables_map& values) {
  return open_library(values, *run::make_workshop({}));
}

host::Library open_library(const boost::program_options::variables_map& values, run::Workshop& workshop) {
  std::vector<std::filesystem::path> wanted;
  if (values.count("plugins") > 0)
    for (const std::string& directory : values["plugins"].as<std::vector<std::string>>())
      wanted.emplace_back(directory);
  const auto directories = host::Library::search_path(wanted);
  host::Library library =
      host::Library::scan(directories, [&](const std::filesystem::path& file) { return workshop.open(file); });
  workshop.know(library.schemes());
  if (!library.schemes().empty()) return library;
  std::vector<std::string> names;
  for (const auto& directory : directories) names.push_back(directory.string());
  throw base::Error(
      fmt::format("no scheme was found in {}; name a directory of plugins with --plugins or POSLAB_PLUGIN_PATH{}{}",
                  names.empty() ? "any directory" : base::enumerate(names), library.refusals().empty() ? "" : "\n",
                  refusals_text(library)));
}

std::string refusals_text(const host::Library& library) {
  std::string text;
  for (const host::Refusal& refusal : library.refusals())
    text += fmt::format("{}passed over {}: {}", text.empty() ? "" : "\n", base::printable(refusal.file.string()),
                        base::printable(refusal.reason));
  return text;
}

base::Catalogue catalogue_of(const host::Library& library) {
  base::Catalogue catalogue{library.schemes(), {}};
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    catalogue.experiments.push_back(experiment.info);
  return catalogue;
}

}  // namespace poslab::app
