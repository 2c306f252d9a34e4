// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name whole or not at all: written under another name beside it, then renamed.
#pragma once

#include <string>

namespace poslab::results {

/// Removes temporary files beside `path` whose writers are dead. Writers on other machines cannot be checked, and
/// process numbers are used again: `alone` says that nobody else writes `path`, this process included.
void remove_abandoned(const std::string& path, bool alone);

class PendingFile {
 public:
  /// Reserves a temporary name beside `path`. Throws base::FileError if nothing can be written there, or if `path` is
  /// something that no file may replace (a directory, a device).
  explicit PendingFile(const std::string& path);
  /// Removes the temporary file unless it was committed, and gives its room back at once.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  void write(const std::string& bytes);  ///< behind what is there
  /// To be called when the temporary file is closed: forces it to disk, gives it its name, forces the name to disk.
  /// A format that ends where its header says bears no seal behind it.
  enum class Seal { sealed, none };
  void commit(Seal seal = Seal::sealed);

 private:
  std::string path_, temporary_;
  bool committed_ = false;
};

}  // namespace poslab::results
