// SPDX-License-Identifier: Apache-2.0
// A pipe from a child, and the end of what came through it.
#pragma once

#include <cstddef>
#include <string>

namespace poslab::process {

class Pipe {
 public:
  Pipe();  ///< throws NoProcess
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return read_; }  ///< -1 once nothing more can come
  int write_end() const { return write_; }
  void close_write_end();
  /// Appends what has arrived to `text`, without waiting, and keeps its last `most_kept` bytes. Returns how many bytes
  /// arrived.
  std::size_t drain();

  std::string text;
  std::size_t most_kept = 64 << 10;

 private:
  int read_ = -1, write_ = -1;
};

}  // namespace poslab::process
