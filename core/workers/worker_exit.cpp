// SPDX-License-Identifier: Apache-2.0
#include "worker_exit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace poslab::workers {
namespace {

constexpr std::size_t max_last_words = 400;  // characters of stderr that a message quotes

std::string end_of(const std::string& text) {
  std::string end = text.substr(text.size() - std::min(text.size(), max_last_words));
  std::replace_if(
      end.begin(), end.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  while (!end.empty() && end.back() == ' ') end.pop_back();
  return end;
}

std::string describe_end(const WorkerExit& worker_exit) {
  if (worker_exit.broke_protocol) return "wrote into the connection between worker and host";
  if (worker_exit.killed_by_us) return "closed the connection between worker and host";
  if (worker_exit.ended.how == process::End::killed) return "died of " + process::signal_text(worker_exit.ended.code);
  return fmt::format("ended its process with exit code {}", worker_exit.ended.code);
}

}  // namespace

WorkerExit reap(process::WorkerProcess& process, bool timed_out) {
  const process::Ended& ended = process.reap(timed_out);
  return {ended, process.broke_protocol(), process.was_killed_by_us()};
}

std::string describe(const WorkerExit& worker_exit) {
  const std::string output = end_of(worker_exit.ended.error_output);
  return describe_end(worker_exit) + process::left_text(worker_exit.ended) +
         (output.empty() ? "" : "; its last words: " + output);
}

bool was_killed_externally(const WorkerExit& worker_exit) {
  const process::Ended& ended = worker_exit.ended;
  return !worker_exit.killed_by_us && ended.how == process::End::killed &&
         (ended.code == SIGKILL || ended.code == SIGTERM || ended.code == SIGINT || ended.code == SIGHUP);
}

void PluginQuarantine::count_crash(const data::SchemeInfo& scheme) {
  if (++crashes_[scheme.file_hash] == max_crashes) quarantined_.push_back({scheme.id, scheme.file, scheme.file_hash});
}

std::string PluginQuarantine::reason(const data::SchemeInfo& scheme) const {
  for (const data::SchemeInfo& part : scheme.parts)
    if (std::string of_part = reason(part); !of_part.empty()) return of_part;
  const auto crashes = crashes_.find(scheme.file_hash);
  if (crashes == crashes_.end() || crashes->second < max_crashes) return "";
  return fmt::format(
      "not performed: {} cells of this plugin ended their workers, so it was quarantined for this run ({}, sha256 {})",
      max_crashes, scheme.file, scheme.file_hash.substr(0, 12));
}

}  // namespace poslab::workers
