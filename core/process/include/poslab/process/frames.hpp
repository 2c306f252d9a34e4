// SPDX-License-Identifier: Apache-2.0
// Messages over a stream: a letter that says what it is, and a body. What is no message is noticed, never misread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "poslab/base/error.hpp"

namespace poslab::process {

/// Bytes of a body. More than any journal holds of a cell; what claims to be longer is a message of somebody else.
inline constexpr std::uint64_t most_body = std::uint64_t{2} << 30;

struct Message {
  char kind = 0;
  std::string body;
};

/// Bytes that no partner of ours has sent.
struct NoMessage : base::Error {
  using base::Error::Error;
};

/// The bytes of one message.
std::string framed(char kind, std::string_view body);

/// Puts messages together from what arrives in pieces.
class Frames {
 public:
  void add(std::string_view bytes) { bytes_.append(bytes); }
  /// The next message that is whole. Throws NoMessage.
  std::optional<Message> next();
  bool empty() const { return start_ == bytes_.size(); }

 private:
  std::string bytes_;
  std::size_t start_ = 0;  // of what was not yet taken
};

}  // namespace poslab::process
