// SPDX-License-Identifier: Apache-2.0
#include "poslab/process/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "child_process.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/search_path.hpp"
#include "spawn.hpp"

namespace poslab::process {
namespace {

// Unlike a pipe, a file in memory never fills up: nobody has to read while the program runs.
class MemoryFile {
 public:
  MemoryFile() {
    const int made = memfd_create("poslab", MFD_CLOEXEC);
    descriptor_ = made < 0 ? -1 : fcntl(made, F_DUPFD_CLOEXEC, 10);  // above the child's own 0, 1 and 2
    if (made >= 0) close(made);
    if (descriptor_ < 0) throw base::Error(fmt::format("no temporary file can be made: {}", std::strerror(errno)));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  void fill(const std::string& text) {
    if (const int problem = base::write_all(descriptor_, text); problem != 0)
      throw base::Error(fmt::format("a temporary file cannot be written: {}", std::strerror(problem)));
    lseek(descriptor_, 0, SEEK_SET);
  }
  std::string text() const {
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t count = 0;
         (count = pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(all.size()))) > 0;)
      all.append(bytes.data(), static_cast<std::size_t>(count));
    return all;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace

NoProgram::NoProgram(const std::string& program_, int reason_)
    : base::Error(Kind::file, fmt::format("{} cannot be run: {}", program_, std::strerror(reason_))),
      program(program_),
      reason(reason_) {}

std::string path_of_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::vector<std::string> folders =
      std::getenv("PATH") ? base::folders_of_environment("PATH") : base::folders_in("/usr/local/bin:/usr/bin:/bin");
  int problem = ENOENT;
  for (const std::string& folder : folders) {
    std::string path = folder + "/" + name;
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (access(path.c_str(), X_OK) == 0) return path;
    problem = errno;
  }
  throw NoProgram(name, problem);
}

Ended run_program(const std::vector<std::string>& words, const std::string& input, double time_limit,
                  const std::vector<std::string>& variables) {
  std::array<MemoryFile, 3> files;
  files[0].fill(input);
  SpawnSettings settings;
  for (std::size_t i = 0; i < files.size(); ++i)
    posix_spawn_file_actions_adddup2(&settings.actions, files[i].descriptor(), static_cast<int>(i));
  std::vector<std::string> copies = words, environment = environment_with(variables);
  copies[0] = path_of_program(words[0]);
  ChildProcess child(
      [&] {
        pid_t started = 0;
        const int problem = posix_spawn(&started, copies[0].c_str(), &settings.actions, nullptr,
                                        pointers_to(copies).data(), pointers_to(environment).data());
        if (problem != 0) throw NoProgram(words[0], problem);
        return started;
      },
      Leftovers::kept);
  const bool in_time = child.ends_within(time_limit);
  Ended ended;
  child.finish();
  child.tell(ended, !in_time);
  ended.output = files[1].text();
  ended.error_output = files[2].text();
  return ended;
}

void become_program(std::vector<std::string> words, const std::vector<std::string>& variables) {
  std::vector<std::string> environment = environment_with(variables);
  const std::string name = std::exchange(words[0], path_of_program(words[0]));
  ::execve(words[0].c_str(), pointers_to(words).data(), pointers_to(environment).data());
  throw NoProgram(name, errno);
}

}  // namespace poslab::process
