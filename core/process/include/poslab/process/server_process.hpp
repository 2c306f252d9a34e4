// SPDX-License-Identifier: Apache-2.0
// Another program that we start once and ask often, over one connection: it is our child, in our process group, and
// ends when the connection closes. It may die at any moment, which is reported, and does us no harm.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <memory>
#include <string>
#include <vector>

#include "poslab/process/child.hpp"
#include "poslab/process/memory_kills.hpp"

namespace poslab::process {

class Connection;

/// How a process ended.
struct ServerEnd {
  std::string how;          ///< "ended with exit code 3", "was ended by SIGSEGV (segmentation fault)"
  bool by_another = false;  ///< a signal ended it that neither we nor a fault of its own sends
};

class ServerProcess {
 public:
  /// Starts `words[0]`, found along PATH, with the other words as its arguments: it is asked on its stdin and answers
  /// on its descriptor 3; what it prints goes to our stderr. `variables` ("NAME=value") are added to its environment,
  /// in place of those of the same names. Throws NoProgram, NoProcess.
  ServerProcess(const std::vector<std::string>& words, const std::vector<std::string>& variables);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();  ///< as `end`

  /// All bytes of the parts, in order, waiting as long as it takes; false: it is gone.
  bool send(std::vector<iovec> parts);
  bool receive(const std::vector<iovec>& parts);
  /// Copies what lies at `theirs` in its memory, while it waits, to `ours`, of as many bytes; false: the system does
  /// not let us.
  bool copy(const std::vector<iovec>& theirs, const std::vector<iovec>& ours) const;
  /// Closes the connection, at which it ends, and kills it if it does not within a second.
  ServerEnd end();

 private:
  pid_t owner_;   // who started it; a fork of that may not ask, and ends nothing
  pid_t id_ = 0;  // 0: its end was seen
  std::unique_ptr<Connection> connection_;
  const MemoryKills kills_before_ = MemoryKills::now();
  ServerEnd ended_;
};

}  // namespace poslab::process
