// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <Eigen/Core>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "commands/exit_code.hpp"
#include "poslab/app/main_program.hpp"

namespace {

// Whoever reads what we print must not take a part of it, on a full disk, for the whole. `run` and `merge` have said
// all that counts in their file.
bool has_said_all(int count, char** words) {
  const std::string_view command = count > 1 ? words[1] : "";
  if (command == "run" || command == "merge") return true;
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int main(int count, char** words) {
  // Large arrays come and go with every cell: keeping their pages saves the system from clearing them each time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  // Eigen sizes its blocks by the caches that it finds: fixed, so that no result depends on them.
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
  // A file that may not grow (ulimit -f) is an error like a full disk, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  // Ignored by whoever started us, it would keep from us how our children end.
  std::signal(SIGCHLD, SIG_DFL);
  const int code = poslab::app::main_program({words + 1, words + count});
  if (code != poslab::app::all_well || has_said_all(count, words)) return code;
  std::fputs("poslab: not all could be printed: is the disk of stdout full, or stdout closed?\n", stderr);
  return poslab::app::unfinished;
}
