// SPDX-License-Identifier: Apache-2.0
#include "contained.hpp"

#include <fmt/format.h>

#include <csignal>

namespace poslab::app {

CommandEnded::CommandEnded(const std::string& command_, const std::string& suspect_, const process::Ended& ended)
    : Error(Kind::plugin, fmt::format("{}: {} ended the process with {}{}", command_, suspect_,
                                      process::signal_text(ended.code), process::left_text(ended))),
      command(command_),
      suspect(suspect_),
      signal(ended.code) {}

CommandTimedOut::CommandTimedOut(const std::string& command_, const std::string& suspect_, double time_limit_,
                                 const process::Ended& ended)
    : Error(Kind::plugin, fmt::format("{}: {} did not come back within {:g} s (--time-limit){}", command_, suspect_,
                                      time_limit_, process::left_text(ended))),
      command(command_),
      suspect(suspect_),
      time_limit(time_limit_) {}

int contained(const std::vector<std::string>& arguments, const ContainedOptions& options) {
  std::vector<std::string> words{process::in_child};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const double time_limit = options.limit();
  const process::Ended ended = process::run_in_place(words, time_limit);
  if (ended.how == process::End::exited) return ended.code;
  if (ended.how == process::End::timed_out)
    throw CommandTimedOut(arguments.front(), options.suspect, time_limit, ended);
  // Signals from a reader that wants no more, or from a person: no fault, and what a shell would give.
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP})
    if (ended.code == signal) return 128 + signal;
  throw CommandEnded(arguments.front(), options.suspect, ended);
}

}  // namespace poslab::app
