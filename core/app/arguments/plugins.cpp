// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/plugins.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "poslab/app/text/print.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiments/experiment.hpp"

namespace poslab::app {
namespace {

std::string sentence_of(const std::vector<std::string>& searched) {
  return fmt::format("no scheme was found in {}; name a directory of plugins with --plugins or POSLAB_PLUGIN_PATH",
                     searched.empty() ? "any directory" : base::enumerate(searched));
}

std::vector<std::string> names_in(const data::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const data::SchemeInfo& scheme : catalogue.schemes) names.push_back(scheme.id);
  for (const data::ExperimentInfo& experiment : catalogue.experiments) names.push_back(experiment.id);
  return names;
}

}  // namespace

NoSchemes::NoSchemes(const std::vector<std::string>& searched_, const std::vector<host::Refusal>& passed_over_)
    : Error(sentence_of(searched_) + (passed_over_.empty() ? "" : "\n") + refusals_text(passed_over_)),
      searched(searched_),
      passed_over(passed_over_) {}

NoSuchName::NoSuchName(const std::string& name_, const data::Catalogue& catalogue)
    : Error(fmt::format("no scheme or experiment is called \"{}\" (poslab list names them; {}){}", name_,
                        data::if_it_is_yours, base::did_you_mean(name_, names_in(catalogue)))),
      name(name_) {}

void add_plugin_option(Options& options) {
  options.add()("plugins", boost::program_options::value<std::vector<std::string>>()->value_name("DIR"),
                "look for schemes here first (may be repeated)");
}

std::vector<std::string> plugin_directories(const boost::program_options::variables_map& values) {
  return values.count("plugins") > 0 ? values["plugins"].as<std::vector<std::string>>() : std::vector<std::string>();
}

host::Library open_library(const std::vector<std::string>& directories) {
  return open_library(directories, *workers::make_backend({}));
}

host::Library open_library(const std::vector<std::string>& asked, workers::Backend& backend) {
  const auto directories = host::Library::search_path({asked.begin(), asked.end()});
  host::Library library =
      host::Library::scan(directories, [&](const std::filesystem::path& file) { return backend.open(file); });
  for (const host::Refusal& notice : library.notices())
    print(stderr,
          fmt::format("poslab: {}: {}\n", base::printable(notice.file.string()), base::printable(notice.reason)));
  print(stderr, shadows_text(library.shadowed()));
  backend.know(library.schemes());
  if (!library.schemes().empty()) return library;
  std::vector<std::string> searched;
  for (const auto& directory : directories) searched.push_back(directory.path.string());
  throw NoSchemes(searched, library.refusals());
}

std::string refusals_text(const std::vector<host::Refusal>& refusals) {
  std::string text;
  for (const host::Refusal& refusal : refusals)
    text += fmt::format("{}passed over {}: {}", text.empty() ? "" : "\n", base::printable(refusal.file.string()),
                        base::printable(refusal.reason));
  return text;
}

std::string shadows_text(const std::vector<host::Shadowed>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> schemes;  // by the two directories
  for (const host::Shadowed& one : all)
    schemes[{one.taken.parent_path().string(), one.passed_over.parent_path().string()}].push_back(one.scheme);
  std::string text;
  for (auto& [directories, ids] : schemes) {
    constexpr std::size_t most = 5;
    const std::size_t others = ids.size() > most ? ids.size() - most : 0;
    if (others > 0) ids.resize(most), ids.push_back(fmt::format("{} more", others));
    text += fmt::format("poslab: {} from {}, in place of {}\n", base::printable(base::enumerate(ids)),
                        base::printable(directories.first), base::printable(directories.second));
  }
  return text;
}

data::Catalogue catalogue_of(const host::Library& library) {
  data::Catalogue catalogue{library.schemes(), {}};
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    catalogue.experiments.push_back(experiment.info);
  return catalogue;
}

}  // namespace poslab::app
