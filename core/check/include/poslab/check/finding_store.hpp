// SPDX-License-Identifier: Apache-2.0
// What the checks found of plugins, kept for this user: whoever runs a study learns which of its plugins nobody has
// ever checked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "poslab/check/check.hpp"

namespace poslab::check {

struct FailedChecks {
  std::vector<std::string> names;  ///< names of checks; none: it passed
};
FailedChecks failed_checks(const std::vector<Finding>& findings);

class FindingStore {
 public:
  /// Verdicts of `program`, this build of poslab; those of others do not count. `directory` need not exist.
  FindingStore(std::filesystem::path directory, std::string program)
      : directory_(std::move(directory)), program_(std::move(program)) {}
  /// In $XDG_CACHE_HOME/poslab/checks, or ~/.cache/poslab/checks.
  static FindingStore of_user(std::string program);

  /// `code_hash`: data::SchemeInfo::code_hash. Nothing if it was never checked.
  std::optional<FailedChecks> find(const std::string& code_hash) const;
  /// False if it cannot be written, as where there is no home: then it will be unknown.
  bool keep(const std::string& code_hash, const FailedChecks& failed) const;

 private:
  std::filesystem::path file_of(const std::string& code_hash) const;
  std::filesystem::path directory_;
  std::string program_;
};

}  // namespace poslab::check
