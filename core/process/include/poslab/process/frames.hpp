// SPDX-License-Identifier: Apache-2.0
// Messages over a stream of bytes: a letter for the kind, and a body. Bytes that are not a message are an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "poslab/base/error.hpp"

namespace poslab::process {

/// The largest body, in bytes: more than a journal holds of a cell. A frame that claims more is malformed.
inline constexpr std::uint64_t max_body = std::uint64_t{2} << 30;

struct Message {
  char kind = 0;
  std::string body;
};

/// Bytes that `framed` has not written.
struct MalformedFrame : base::Error {
  MalformedFrame();
};

/// The bytes of one message.
std::string framed(char kind, std::string_view body);

/// Assembles messages from bytes that arrive in pieces.
class FrameReader {
 public:
  void add(std::string_view bytes) { bytes_.append(bytes); }
  /// The next message that has arrived whole. Throws MalformedFrame.
  std::optional<Message> next();
  bool empty() const { return start_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t start_ = 0;  // of the bytes that were not yet returned
};

}  // namespace poslab::process
