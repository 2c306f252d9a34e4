// SPDX-License-Identifier: Apache-2.0
// This program once more, as a child with a time limit: for work that may crash, hang or end the process. And another
// program, found along PATH, without a shell.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::process {

/// The system does not let a child process start: too many processes, threads or descriptors, or too little memory. No
/// plugin is the cause.
struct NoProcess : base::Error {
  explicit NoProcess(const std::string& why);
  std::string why;
};

/// The first argument of a child whose parent waits for it, and which is killed when its parent ends.
inline constexpr const char* in_child = "in-child";

/// The file descriptor on which a child answers its parent.
inline constexpr int answer_descriptor = 3;

enum class End { exited, killed, timed_out };

/// How a child ended, and what it wrote.
struct Ended {
  End how = End::exited;
  int code = 0;              ///< exit code, or the number of the signal
  std::string answer;        ///< what it wrote to `answer_descriptor`
  std::string output;        ///< the end of its stdout
  std::string error_output;  ///< the end of its stderr
  double seconds = 0;
  std::vector<pid_t> left;  ///< processes that have not ended 5 s after SIGKILL, and were given up
};

/// "; process 4711 has not ended though it was killed, and is left behind"; empty if nothing is left.
std::string left_text(const Ended& ended);

/// Runs this program with `arguments` (without its name), stdin empty, and waits for it. After `time_limit` seconds the
/// child and all processes that it started are killed, which takes 5 s at most. Of its answer the last `max_answer`
/// bytes are kept. Throws NoProcess.
Ended run_self(const std::vector<std::string>& arguments, double time_limit, std::size_t max_answer = 64 << 10);

/// The same for a child that does several pieces of work, one after the other, each of them within `time_limit`, and
/// calls `end_piece` after each: `on_piece` is told what it has written in the meantime, as if it had exited then.
/// Returns how it ended, with what it has written since. Throws what `on_piece` throws, after which nothing is left of
/// the child.
Ended run_self_in_pieces(const std::vector<std::string>& arguments, double time_limit,
                         const std::function<void(const Ended&)>& on_piece);

/// The same with our own stdin, stdout and stderr; of what it wrote nothing is returned. Throws NoProcess.
Ended run_in_place(const std::vector<std::string>& arguments, double time_limit);

/// "SIGSEGV (segmentation fault)"
std::string signal_text(int signal);

/// In a child: sends `text` to its parent. False if it could not be sent in whole.
bool answer(const std::string& text);

/// In a child of run_self_in_pieces: a piece of work is done.
void end_piece();

/// Called first in a child: the system kills it when the thread that started it ends.
void end_with_parent();

/// There is no such program here, or it may not be run.
struct NoProgram : base::Error {
  NoProgram(const std::string& program, int reason);
  std::string program;
  int reason;  ///< errno
};

/// Runs `words[0]` with the other words as its arguments and `input` on its stdin, and waits for it; after
/// `time_limit` seconds it is killed. `variables` ("NAME=value") are added to its environment. `output` and
/// `error_output` are whole. Throws NoProgram, base::Error.
Ended run_program(const std::vector<std::string>& words, const std::string& input, double time_limit,
                  const std::vector<std::string>& variables = {});

/// This process becomes that program. Throws NoProgram.
[[noreturn]] void become_program(std::vector<std::string> words, const std::vector<std::string>& variables);

/// Forks, does `work` in the copy and waits until the copy has ended. A copy that ended otherwise than by returning
/// from `work` ends this process in the same way. Precondition: this process has one thread; a copy has no others.
/// Throws NoProcess.
void in_a_copy(const std::function<void()>& work);

}  // namespace poslab::process
