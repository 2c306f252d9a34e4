// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/plugin_checks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "poslab/base/hash.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t max_file_bytes = 1 << 16;  // bytes
constexpr const char* first_line = "poslab check 1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::vector<std::string> failed_checks(const std::vector<Finding>& findings) {
  std::vector<std::string> failed;
  for (const Finding& finding : findings)
    if (finding.result == CheckResult::failed) failed.push_back(finding.check);
  return failed;
}

FindingStore FindingStore::of_user(std::string program) {
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  const std::filesystem::path root = !cache.empty() ? std::filesystem::path(cache)
                                     : home.empty() ? std::filesystem::path()
                                                    : std::filesystem::path(home) / ".cache";
  return {root.empty() ? root : root / "poslab" / "checks", std::move(program)};
}

std::filesystem::path FindingStore::file_of(const std::string& code_hash) const {
  return directory_ / base::sha256(program_ + "\n" + code_hash);
}

std::optional<std::vector<std::string>> FindingStore::find(const std::string& code_hash) const try {
  const base::RegularFile file(file_of(code_hash).string());
  std::istringstream lines(file.bytes_at(0, std::min<std::size_t>(file.size(), max_file_bytes)));
  std::string line;
  if (!std::getline(lines, line) || line != first_line) return std::nullopt;
  std::vector<std::string> failed;
  while (std::getline(lines, line)) failed.push_back(line);
  return failed;
} catch (const base::FileError&) {
  return std::nullopt;
}

bool FindingStore::keep(const std::string& code_hash, const std::vector<std::string>& failed) const {
  if (directory_.empty()) return false;
  std::error_code problem;
  std::filesystem::create_directories(directory_, problem);
  const std::filesystem::path file = file_of(code_hash), pending = file.string() + "." + std::to_string(getpid());
  std::ofstream stream(pending);
  stream << first_line << '\n';
  for (const std::string& name : failed) stream << name << '\n';
  stream.close();
  if (!stream) return false;
  std::filesystem::rename(pending, file, problem);
  return !problem;
}

}  // namespace poslab::check
