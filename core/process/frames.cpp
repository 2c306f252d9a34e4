// SPDX-License-Identifier: Apache-2.0
// Layout: the opening, the kind, the size of the body in 8 bytes, the body.
#include "poslab/process/frames.hpp"

#include <cstdint>
#include <cstring>

namespace poslab::process {
namespace {

constexpr std::string_view opening = "pos";
constexpr std::size_t head = opening.size() + 1 + sizeof(std::uint64_t);
}  // namespace

std::string framed(char kind, std::string_view body) {
  std::string bytes(opening);
  bytes.reserve(head + body.size());
  bytes += kind;
  const std::uint64_t size = body.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += body;
  return bytes;
}

std::optional<Message> Frames::next() {
  const std::string_view rest = std::string_view(bytes_).substr(start_);
  const std::string_view begun = rest.substr(0, opening.size());
  if (begun != opening.substr(0, begun.size())) throw NoMessage("something else was written into the connection");
  if (rest.size() < head) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, rest.data() + opening.size() + 1, sizeof size);
  if (size > most_body) throw NoMessage("something else was written into the connection");
  if (rest.size() - head < size) return std::nullopt;
  Message message{rest[opening.size()], std::string(rest.substr(head, size))};
  start_ += head + size;
  if (start_ == bytes_.size() || start_ > (std::size_t{1} << 20)) {
    bytes_.erase(0, start_);
    start_ = 0;
  }
  return message;
}

}  // namespace poslab::process
