// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "files/plugin_file.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/host/python.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

// Every `*.so` of the directory, and every `*.py` that declares a scheme, in order of name; throws
// std::filesystem::filesystem_error.
std::vector<std::filesystem::path> plugins_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ".so" || (is_python(entry.path()) && declares_scheme(entry.path())))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Library Library::scan(const std::vector<PluginDirectory>& directories, const Opener& open,
                      const std::vector<std::filesystem::path>& files) {
  Library library;
  std::vector<std::filesystem::path> seen;  // a directory that is named twice is read once
  const auto refuse = [&](const std::filesystem::path& file, const std::string& reason) {
    library.refusals_.push_back({file, reason});
  };
  const auto take = [&](const std::filesystem::path& file) {
    try {
      data::SchemeInfo scheme = open(file);
      const data::SchemeInfo* first = library.find(scheme.id);
      if (first && std::filesystem::path(first->file).parent_path() != file.parent_path())
        library.shadowed_.push_back({scheme.id, first->file, file});
      else if (first)
        refuse(file, fmt::format("id \"{}\" is taken already by {}", scheme.id, first->file));
      else
        library.schemes_.push_back(std::move(scheme));
    } catch (const PluginRefused& refused) {
      refuse(refused.file, refused.reason);
    }
  };
  // Whether it may be used, though somebody else could exchange it; `is_named`: because somebody wants it.
  const auto is_trusted = [&](const std::filesystem::path& path, bool is_named) {
    const std::string who = weak_permissions(path);
    if (who.empty()) return true;
    if (is_named)
      library.notices_.push_back({path, who + "; it is used all the same, since --plugins names it"});
    else
      refuse(path, who + "; if you trust what is there, name the directory with --plugins");
    return is_named;
  };
  for (const auto& [directory, is_named] : directories) {
    std::error_code problem;
    const auto canonical = std::filesystem::weakly_canonical(directory, problem);
    if (std::find(seen.begin(), seen.end(), canonical) != seen.end()) continue;
    seen.push_back(canonical);
    if (const auto refusal = why_not_directory(directory)) {
      refuse(directory, refusal->reason);
      continue;
    }
    if (!is_trusted(directory, is_named)) continue;
    try {
      const auto plugins = plugins_in(directory);
      if (plugins.empty())
        refuse(directory, "holds no plugins: there is no *.so in it, and no *.py with @poslab.define");
      const bool has_notice = !library.notices_.empty() && library.notices_.back().file == directory;
      for (const auto& file : plugins)
        if (has_notice || !base::special_file_kind(file).empty() || is_trusted(file, is_named)) take(file);
    } catch (const std::filesystem::filesystem_error& error) {
      refuse(directory, "cannot be read: " + error.code().message());
    }
  }
  for (const auto& file : files) {
    const bool is_known = std::any_of(library.schemes_.begin(), library.schemes_.end(),
                                      [&](const data::SchemeInfo& scheme) { return scheme.file == file; });
    if (!is_known && is_trusted(file, false)) take(file);
  }
  return library;
}

const data::SchemeInfo* Library::find(const std::string& id) const {
  const auto scheme = std::find_if(schemes_.begin(), schemes_.end(), [&](const auto& s) { return s.id == id; });
  return scheme == schemes_.end() ? nullptr : &*scheme;
}

const data::SchemeInfo& Library::at(const std::string& id) const {
  if (const data::SchemeInfo* scheme = find(id)) return *scheme;
  std::vector<std::string> ids;
  for (const data::SchemeInfo& scheme : schemes_) ids.push_back(scheme.id);
  throw no_such_scheme(id, ids);
}

}  // namespace poslab::host
