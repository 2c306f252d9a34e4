// SPDX-License-Identifier: Apache-2.0
#include "calls/process_state.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace poslab::host {
namespace {

struct NamedLimit {
  int resource;
  const char* name;
};
constexpr std::array<NamedLimit, 10> named_limits{{{RLIMIT_AS, "RLIMIT_AS"},
                                                   {RLIMIT_CORE, "RLIMIT_CORE"},
                                                   {RLIMIT_CPU, "RLIMIT_CPU"},
                                                   {RLIMIT_DATA, "RLIMIT_DATA"},
                                                   {RLIMIT_FSIZE, "RLIMIT_FSIZE"},
                                                   {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"},
                                                   {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
                                                   {RLIMIT_NPROC, "RLIMIT_NPROC"},
                                                   {RLIMIT_RSS, "RLIMIT_RSS"},
                                                   {RLIMIT_STACK, "RLIMIT_STACK"}}};

std::string limit_name(int resource) {
  for (const NamedLimit& limit : named_limits)
    if (limit.resource == resource) return limit.name;
  return fmt::format("limit {}", resource);
}

// umask() can only be asked by setting it, which other threads would see.
std::string creation_mask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("Umask:", 0) == 0) return line;
  return "";
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

}  // namespace

ProcessState ProcessState::now() {
  ProcessState state;
  state.floating_point_ = FloatingPointMode::now();
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource)
    getrlimit(static_cast<__rlimit_resource>(resource), &state.limits_[static_cast<std::size_t>(resource)]);
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    state.handlers_[static_cast<std::size_t>(number)] = action.sa_handler;
    state.blocked_[static_cast<std::size_t>(number)] = sigismember(&blocked, number) == 1;
  }
  std::error_code problem;
  state.directory_ = std::filesystem::current_path(problem).string();
  state.locale_ = std::setlocale(LC_ALL, nullptr);
  state.creation_mask_ = creation_mask();
  for (char** entry = environ; entry && *entry; ++entry) state.environment_.emplace_back(*entry);
  return state;
}

std::vector<std::string> ProcessState::changes_in(const ProcessState& later) const {
  std::vector<std::string> changes;
  if (!(floating_point_ == later.floating_point_))
    changes.push_back(
        fmt::format("the floating-point mode (from {} to {}; -Ofast and -ffast-math do that: build without)",
                    floating_point_.text(), later.floating_point_.text()));
  for (std::size_t i = 0; i < limits_.size(); ++i)
    if (limits_[i].rlim_cur != later.limits_[i].rlim_cur || limits_[i].rlim_max != later.limits_[i].rlim_max)
      changes.push_back("the limit " + limit_name(static_cast<int>(i)));
  for (std::size_t i = 1; i < handlers_.size(); ++i) {
    const std::string name = signal_name(static_cast<int>(i));
    if (handlers_[i] != later.handlers_[i]) changes.push_back("what happens at " + name);
    if (blocked_[i] != later.blocked_[i]) changes.push_back("whether " + name + " is blocked");
  }
  const auto compare = [&](const auto& before, const auto& after, const char* what) {
    if (before != after) changes.emplace_back(what);
  };
  compare(directory_, later.directory_, "the working directory");
  compare(locale_, later.locale_, "the locale");
  compare(creation_mask_, later.creation_mask_, "the umask");
  compare(environment_, later.environment_, "the environment");
  return changes;
}

}  // namespace poslab::host
