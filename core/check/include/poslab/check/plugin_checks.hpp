// SPDX-License-Identifier: Apache-2.0
// What the checks found of plugins, kept for this user: whoever runs a study learns which of its plugins nobody has
// ever checked.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "poslab/check/check.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/plugin_check.hpp"

namespace poslab::check {

/// The names of those that failed; none: the plugin passed.
std::vector<std::string> failed_checks(const std::vector<Finding>& findings);

class FindingStore {
 public:
  /// Verdicts of `program`, this build of poslab; those of others do not count. `directory` need not exist.
  FindingStore(std::filesystem::path directory, std::string program)
      : directory_(std::move(directory)), program_(std::move(program)) {}
  /// In $XDG_CACHE_HOME/poslab/checks, or ~/.cache/poslab/checks.
  static FindingStore of_user(std::string program);

  /// The names of failed checks. `code_hash`: data::SchemeInfo::code_hash. Nothing if it was never checked.
  std::optional<std::vector<std::string>> find(const std::string& code_hash) const;
  /// False if it cannot be written, as where there is no home: then it will be unknown.
  bool keep(const std::string& code_hash, const std::vector<std::string>& failed) const;

 private:
  std::filesystem::path file_of(const std::string& code_hash) const;
  std::filesystem::path directory_;
  std::string program_;
};

/// Performs every check of each plugin now, and keeps what was found for this user; `told` hears each result.
data::PluginChecks check_plugins(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes,
                                 const std::function<void(const std::string& scheme, const std::string& result)>& told);
/// What earlier checks found.
data::PluginChecks known_checks(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes);

/// The schemes that nobody has ever checked, in order of id.
std::vector<std::string> unchecked(const data::PluginChecks& checks);

}  // namespace poslab::check
