// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/plugins.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/run/library.hpp"

namespace poslab::app {
namespace {

std::vector<std::string> names_in(const data::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const data::SchemeInfo& scheme : catalogue.schemes) names.push_back(scheme.id);
  for (const data::ExperimentInfo& experiment : catalogue.experiments) names.push_back(experiment.id);
  return names;
}

}  // namespace

NoSuchName::NoSuchName(const std::string& name_, const data::Catalogue& catalogue)
    : Error(fmt::format("no scheme or experiment is called \"{}\" (poslab list names them, poslab find {} searches all "
                        "that they say; {}){}",
                        name_, base::shell_word(name_), data::if_it_is_yours,
                        base::did_you_mean(name_, names_in(catalogue)))),
      name(name_) {}

void add_plugin_option(Options& options) {
  options.add()("plugins", boost::program_options::value<std::vector<std::string>>()->value_name("DIR"),
                "look for schemes here first (may be repeated)");
}

std::vector<std::string> plugin_directories(const boost::program_options::variables_map& values) {
  return values.count("plugins") > 0 ? values["plugins"].as<std::vector<std::string>>() : std::vector<std::string>();
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

std::string notices_text(const host::Library& library) {
  std::string text;
  for (const host::Refusal& notice : library.notices())
    text += fmt::format("poslab: {}: {}\n", base::printable(notice.file.string()), base::printable(notice.reason));
  return text + shadows_text(library.shadowed());
}

std::string notices_and_refusals_text(const host::Library& library) {
  const std::string refusals = run::refusals_text(library.refusals());
  return notices_text(library) + refusals + (refusals.empty() ? "" : "\n");
}

}  // namespace poslab::app
