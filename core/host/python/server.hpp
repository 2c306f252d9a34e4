// SPDX-License-Identifier: Apache-2.0
// A scheme that is written in Python, in a process of its own: frames.md has what goes to it and back.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/plugin.h"
#include "poslab/process/server_process.hpp"

namespace poslab::host {

enum class Request : std::uint32_t { create = 1, destroy = 2, call = 3 };

/// What came back: the status of plugin.h, and text where the request's answer is one, or what was wrong.
struct Answer {
  std::int32_t status = POSLAB_OK;
  std::string text;
  void tell(poslab_error* error) const;  ///< fills it where the status is not POSLAB_OK
};

/// What goes with a request: its form, the numbers of the arrays that the form tells of, and where those of the answer
/// go.
struct Freight {
  std::vector<iovec> form{}, numbers{}, sinks{};
};

/// One Python process, which is asked one thing at a time, from any thread, and started again when it has died.
class PythonServer {
 public:
  /// Starts it; `description` is then what the file says of its scheme. Throws base::Error with what Python said,
  /// ProcessLost.
  explicit PythonServer(std::filesystem::path file);

  const std::string& description() const { return description_; }
  /// What the file brings in: its modules' files with their hashes, and the versions of what is installed.
  const std::vector<data::LinkedLibrary>& sources() const { return sources_; }
  /// The request is sent to the variant `instance`, to which `create` gave the text that makes it anew in a process
  /// that does not know it. An answer of POSLAB_OK has as many bytes as the sinks, which they fill; without any it is
  /// text. Throws ProcessLost.
  Answer ask(Request kind, std::uint32_t instance, const std::string& creation, const Freight& freight);
  std::uint32_t next_instance();

 private:
  void start();
  Answer exchange(Request kind, std::uint32_t instance, const Freight& freight);
  Answer received(const std::vector<iovec>& sinks);
  bool copied(const std::vector<iovec>& sinks);
  Answer died();  // throws ProcessLost where somebody else has killed it

  const std::filesystem::path file_;
  std::mutex mutex_;
  std::unique_ptr<process::ServerProcess> process_;  // null: it has died
  std::vector<std::uint32_t> known_;                 // instances that it has made
  std::uint32_t instances_ = 0;
  bool by_address_ = true;          // whether the system has let us read its memory so far
  std::string description_, hash_;  // of the first process; the hash is that of the file
  std::vector<data::LinkedLibrary> sources_;
};

}  // namespace poslab::host
