// SPDX-License-Identifier: Apache-2.0
// This program once more, as a child with a time limit: for work that may crash, hang or end the process.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::process {

/// The system, not a plugin, keeps a child from starting: too many processes, threads or descriptors, too little memory.
struct NoProcess : base::Error {
  explicit NoProcess(const std::string& why)
      : Error("no child process can be started: " + why +
              "; are there too many processes or descriptors (ulimit -u, ulimit -n) or too little memory? Fewer "
              "--threads "
              "and --workers need less") {}
};

/// The file descriptor on which a child answers its parent.
inline constexpr int answer_descriptor = 3;

enum class End { exited, killed, timed_out };

/// How a child ended, and all that it said.
struct Ended {
  End how = End::exited;
  int code = 0;           ///< exit code, or the number of the signal
  std::string answer;     ///< what it wrote to `answer_descriptor`
  std::string output;     ///< the end of its stdout
  std::string complaint;  ///< the end of its stderr
  double seconds = 0;
};

/// Writes into `ended` what waitpid said of it.
void note_end(Ended& ended, int status);

/// Runs this program with `arguments` (its name not among them), stdin empty, and waits for it. After `time_limit` seconds
/// the child and all that it started are killed. Started by posix_spawn, never fork: a forked child of a program that uses
/// oneTBB has no worker threads. Throws NoProcess.
Ended run_self(const std::vector<std::string>& arguments, double time_limit);

/// Runs this program with `arguments` in our place: it has our stdin, stdout and stderr and may take its time. Of what
/// `run_self` tells, only how it ended. Throws NoProcess.
Ended run_in_place(const std::vector<std::string>& arguments);

/// "SIGSEGV (segmentation fault)"
std::string signal_text(int signal);

/// For the child, first thing: it shall not outlive the thread that started it.
void end_with_parent();

}  // namespace poslab::process
