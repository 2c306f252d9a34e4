// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/host/python.hpp"
#include "poslab/study/study.hpp"

namespace poslab::run {
namespace {

std::string sentence_of(const std::vector<std::string>& searched) {
  return fmt::format("no scheme was found in {}; name a directory of plugins with --plugins or POSLAB_PLUGIN_PATH",
                     searched.empty() ? "any directory" : base::enumerate(searched));
}

}  // namespace

base::Error no_schemes(const std::vector<std::string>& searched, const std::vector<host::Refusal>& passed_over) {
  std::string text = sentence_of(searched) + "\n" + refusals_text(passed_over);
  text.pop_back();  // a message ends without a line break
  return {base::Error::Kind::request, text};
}

host::Library open_library(const std::vector<std::string>& directories) {
  return open_library(directories, *workers::make_backend({}));
}

host::Library open_library(const std::vector<std::string>& asked, workers::Backend& backend,
                           const std::vector<std::string>& studies, const std::vector<std::string>& named) {
  const auto directories = host::Library::search_path({asked.begin(), asked.end()});
  std::vector<std::filesystem::path> files;
  const auto add = [&](const std::filesystem::path& file) {
    const bool is_there = std::any_of(files.begin(), files.end(), [&](const std::filesystem::path& other) {
      std::error_code none;
      return other == file || std::filesystem::equivalent(other, file, none);
    });
    if (!is_there) files.push_back(file);
  };
  for (const std::string& study : studies)
    for (const std::filesystem::path& file : study::files_used_in(study)) add(file);
  for (const std::string& name : named)
    if (host::is_python(name)) add(std::filesystem::absolute(name).lexically_normal());
  host::Library library = host::Library::scan(
      directories, [&](const std::filesystem::path& file) { return backend.open(file); }, files);
  backend.register_schemes(library.schemes());
  if (!library.schemes().empty()) return library;
  std::vector<std::string> searched;
  for (const auto& directory : directories) searched.push_back(directory.path.string());
  throw no_schemes(searched, library.refusals());
}

data::Catalogue catalogue_of(const host::Library& library) {
  data::Catalogue catalogue{library.schemes(), {}};
  for (const experiments::Experiment& experiment : experiments::all_experiments())
    catalogue.experiments.push_back(experiment.info);
  return catalogue;
}

std::string refusals_text(const std::vector<host::Refusal>& refusals) {
  std::string text;
  for (const host::Refusal& refusal : refusals)
    text +=
        fmt::format("passed over {}: {}\n", base::printable(refusal.file.string()), base::printable(refusal.reason));
  return text;
}

}  // namespace poslab::run
