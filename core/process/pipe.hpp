// SPDX-License-Identifier: Apache-2.0
// A pipe from a child, and the end of what came through it.
#pragma once

#include <cstddef>
#include <string>

namespace poslab::process {

class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return read_; }  ///< -1 once nothing more can come
  int write_end() const { return write_; }
  void close_write_end();
  /// Appends what is there to `text` without waiting, and keeps its last `most` bytes.
  void take(std::size_t most);

  std::string text;
  std::size_t fresh = 0;  ///< bytes that came since somebody set this to 0

 private:
  int read_ = -1, write_ = -1;
};

}  // namespace poslab::process
