// SPDX-License-Identifier: Apache-2.0
#include "contained.hpp"

#include <fmt/format.h>

#include <csignal>

#include "poslab/process/child.hpp"

namespace poslab::app {

CommandEnded::CommandEnded(const std::string& command_, const std::string& culprit_, int signal_)
    : Error(fmt::format("{}: {} ended the process with {}", command_, culprit_, process::signal_text(signal_))),
      command(command_),
      culprit(culprit_),
      signal(signal_) {}

int contained(const std::vector<std::string>& arguments, const std::string& culprit) {
  std::vector<std::string> words{process::in_child};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const process::Ended ended = process::run_in_place(words);
  if (ended.how == process::End::exited) return ended.code;
  // Of a reader that wants no more, or of a person: no fault, and what a shell would give.
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP})
    if (ended.code == signal) return 128 + signal;
  throw CommandEnded(arguments.front(), culprit, ended.code);
}

}  // namespace poslab::app
