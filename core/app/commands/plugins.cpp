// SPDX-License-Identifier: Apache-2.0
#include "commands/plugins.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <utility>

#include "options/options.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/host/python.hpp"
#include "poslab/run/library.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

std::vector<std::string> names_in(const data::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const data::SchemeInfo& scheme : catalogue.schemes) names.push_back(scheme.id);
  for (const data::ExperimentInfo& experiment : catalogue.experiments) names.push_back(experiment.id);
  return names;
}

std::string notices_text(const host::Library& library) {
  std::string text;
  for (const host::Refusal& notice : library.notices())
    text += fmt::format("poslab: {}: {}\n", base::printable(notice.file.string()), base::printable(notice.reason));
  return text + shadows_text(library.shadowed());
}

}  // namespace

NoSuchName::NoSuchName(const std::string& name_, const data::Catalogue& catalogue)
    : Error(Kind::request,
            fmt::format("no scheme or experiment is called \"{}\" (poslab list names them, poslab find {} searches all "
                        "that they say; {}){}",
                        name_, base::shell_word(name_), data::if_it_is_yours,
                        base::did_you_mean(name_, names_in(catalogue)))),
      name(name_) {}

std::string shadows_text(const std::vector<host::Shadowed>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> schemes;  // by the two directories
  for (const host::Shadowed& one : all)
    schemes[{one.taken.parent_path().string(), one.passed_over.parent_path().string()}].push_back(one.scheme);
  std::string text;
  for (const auto& [directories, ids] : schemes)
    text += fmt::format("poslab: {} from {}, in place of {}\n", base::printable(base::enumerate(ids, 5)),
                        base::printable(directories.first), base::printable(directories.second));
  return text;
}

host::Library open_library(const std::vector<std::string>& directories) {
  host::Library library = run::open_library(directories);
  print(stderr, notices_text(library));
  return library;
}

const data::SchemeInfo& scheme_in(const host::Library& library, const std::string& id) {
  if (!library.find(id)) print(stderr, run::refusals_text(library.refusals()));
  return library.at(id);
}

bool is_plugin_file(const std::string& word) {
  const std::filesystem::path path(word);
  return word.find('/') != std::string::npos || path.extension() == ".so" || host::is_python(path);
}

std::string plugin_file(const std::string& word, const std::vector<std::string>& directories) {
  if (!is_plugin_file(word)) {
    const host::Library library = open_library(directories);
    return scheme_in(library, word).file;
  }
  if (!base::is_there(word)) throw UsageError(fmt::format("{}: no such file", word));
  return word;
}

host::Library open_library(const std::vector<std::string>& directories, workers::Backend& backend,
                           const std::vector<std::string>& studies, const std::vector<std::string>& named) {
  host::Library library = run::open_library(directories, backend, studies, named);
  print(stderr, notices_text(library) + run::refusals_text(library.refusals()));
  return library;
}

std::filesystem::path shared_folder() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "share/poslab";
}

}  // namespace poslab::app
