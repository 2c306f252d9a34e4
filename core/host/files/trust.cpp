// SPDX-License-Identifier: Apache-2.0
#include "files/plugin_file.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <vector>

namespace poslab::host {
namespace {

namespace fs = std::filesystem;

// The path itself, then each folder above it.
std::vector<fs::path> upwards(fs::path path) {
  std::vector<fs::path> all{path};
  for (; path.has_relative_path(); all.push_back(path)) path = path.parent_path();
  return all;
}

std::string user_name(uid_t user) {
  const passwd* entry = getpwuid(user);
  return entry ? fmt::format("{} (user {})", entry->pw_name, user) : fmt::format("user {}", user);
}

std::set<uid_t> trusted_owners(const fs::path& program) {
  std::set<uid_t> owners{geteuid(), 0};
  for (const fs::path& path : upwards(program))
    if (struct stat status{}; stat(path.c_str(), &status) == 0) owners.insert(status.st_uid);
  return owners;
}

// What is wrong with one file, folder or link; `is_way`: others may write to it if they cannot exchange what is in it.
std::string weakness(const fs::path& path, bool is_way, const std::set<uid_t>& owners) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return "";  // opening it tells
  if (!owners.contains(status.st_uid))
    return fmt::format("{} belongs to {}, who is neither you nor root nor the owner of this program", path.string(),
                       user_name(status.st_uid));
  const bool others_write = !S_ISLNK(status.st_mode) && (status.st_mode & S_IWOTH) != 0;
  const bool is_sticky = is_way && S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  return others_write && !is_sticky ? fmt::format("everybody may write to {}", path.string()) : "";
}

}  // namespace

bool is_world_writable(const fs::path& path) {
  std::error_code problem;
  const auto permissions = fs::status(path, problem).permissions();
  return !problem && (permissions & fs::perms::others_write) != fs::perms::none;
}

std::string weak_permissions(const fs::path& path, const fs::path& program) {
  std::error_code none;
  const std::vector<fs::path> above_program = upwards(fs::weakly_canonical(program, none).parent_path());
  const std::set<uid_t> owners = trusted_owners(fs::weakly_canonical(program, none));
  // By its name, which may lead through links that somebody else can turn, and where it really is.
  for (const fs::path& way : {fs::absolute(path, none).lexically_normal(), fs::weakly_canonical(path, none)})
    for (const fs::path& step : upwards(way)) {
      if (std::find(above_program.begin(), above_program.end(), step) != above_program.end()) break;
      if (std::string problem = weakness(step, step != way, owners); !problem.empty()) return problem;
    }
  return "";
}

std::string weak_permissions(const fs::path& path) {
  std::error_code none;
  return weak_permissions(path, fs::read_symlink("/proc/self/exe", none));
}

}  // namespace poslab::host
