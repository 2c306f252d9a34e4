// SPDX-License-Identifier: Apache-2.0
// A frame: the magic bytes "pos", the kind, the size of the body in 8 bytes, the body.
#include "poslab/process/frames.hpp"

#include <cstdint>
#include <cstring>

namespace poslab::process {
namespace {

constexpr std::string_view magic = "pos";
constexpr std::size_t header_size = magic.size() + 1 + sizeof(std::uint64_t);

}  // namespace

std::string framed(char kind, std::string_view body) {
  std::string bytes(magic);
  bytes.reserve(header_size + body.size());
  bytes += kind;
  const std::uint64_t size = body.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes += body;
  return bytes;
}

MalformedFrame::MalformedFrame() : Error("the bytes on the connection are not a message") {}

std::optional<Message> FrameReader::next() {
  const std::string_view rest = std::string_view(bytes_).substr(start_);
  const std::string_view start = rest.substr(0, magic.size());
  if (start != magic.substr(0, start.size())) throw MalformedFrame();
  if (rest.size() < header_size) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, rest.data() + magic.size() + 1, sizeof size);
  if (size > max_body) throw MalformedFrame();
  if (rest.size() - header_size < size) return std::nullopt;
  Message message{rest[magic.size()], std::string(rest.substr(header_size, size))};
  start_ += header_size + size;
  if (start_ == bytes_.size() || start_ > (std::size_t{1} << 20)) {
    bytes_.erase(0, start_);
    start_ = 0;
  }
  return message;
}

}  // namespace poslab::process
