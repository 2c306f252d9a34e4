// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/verdict_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "poslab/base/hash.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"

namespace poslab::check {
namespace {

constexpr std::size_t longest_verdict = 1 << 16;  // bytes
constexpr const char* first_line = "poslab check 1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::string PluginVerdict::text() const { return failed.empty() ? "passed" : "failed: " + base::enumerate(failed); }

PluginVerdict verdict_of(const std::vector<Finding>& findings) {
  PluginVerdict verdict;
  for (const Finding& finding : findings)
    if (finding.verdict == Verdict::failed) verdict.failed.push_back(finding.check);
  return verdict;
}

VerdictStore VerdictStore::of_user(std::string program) {
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  const std::filesystem::path root = !cache.empty() ? std::filesystem::path(cache)
                                     : home.empty() ? std::filesystem::path()
                                                    : std::filesystem::path(home) / ".cache";
  return {root.empty() ? root : root / "poslab" / "checks", std::move(program)};
}

std::filesystem::path VerdictStore::file_of(const std::string& code_hash) const {
  return directory_ / base::sha256(program_ + "\n" + code_hash);
}

std::optional<PluginVerdict> VerdictStore::find(const std::string& code_hash) const try {
  const base::RegularFile file(file_of(code_hash).string());
  std::istringstream lines(file.bytes_at(0, std::min<std::size_t>(file.size(), longest_verdict)));
  std::string line;
  if (!std::getline(lines, line) || line != first_line) return std::nullopt;
  PluginVerdict verdict;
  while (std::getline(lines, line)) verdict.failed.push_back(line);
  return verdict;
} catch (const base::FileError&) {
  return std::nullopt;
}

bool VerdictStore::keep(const std::string& code_hash, const PluginVerdict& verdict) const {
  if (directory_.empty()) return false;
  std::error_code problem;
  std::filesystem::create_directories(directory_, problem);
  const std::filesystem::path file = file_of(code_hash), pending = file.string() + "." + std::to_string(getpid());
  std::ofstream stream(pending);
  stream << first_line << '\n';
  for (const std::string& name : verdict.failed) stream << name << '\n';
  stream.close();
  if (!stream) return false;
  std::filesystem::rename(pending, file, problem);
  return !problem;
}

}  // namespace poslab::check
