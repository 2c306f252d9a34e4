// SPDX-License-Identifier: Apache-2.0
#include "poslab/arrays/source.hpp"

#include <fmt/format.h>

#include <utility>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::arrays {

std::string Source::exactly(std::uint64_t offset, std::uint64_t count, const char* what) const {
  if (count > size || offset > size - count)
    throw BadArray(fmt::format("ends too soon: {} should be bytes {} to {}, and the file has {}", what, offset,
                               offset + count, size));
  std::string bytes = read(offset, static_cast<std::size_t>(count));
  if (bytes.size() != count) throw BadArray(fmt::format("became shorter while it was read: {} is missing", what));
  return bytes;
}

Source source_of(const base::RegularFile& file) {
  return {file.size(), [&file](std::uint64_t offset, std::size_t count) { return file.bytes_at(offset, count); }};
}

Source source_of(std::string_view bytes) {
  return {bytes.size(),
          [bytes](std::uint64_t offset, std::size_t count) { return std::string(bytes.substr(offset, count)); }};
}

Format format_of(const Source& source) {
  const std::string begin = source.read(0, 9);
  if (begin.starts_with("\x89HDF\r\n\x1a\n")) return Format::hdf5;
  if (begin.starts_with("\x93NUMPY")) return Format::npy;
  if (begin.starts_with("PK\x03\x04") || begin.starts_with("PK\x05\x06")) return Format::npz;
  // Protocols 2 to 5 of pickle; torch.save before 1.6 begins with one.
  if (begin.size() >= 2 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5) return Format::pickle;
  return begin.size() == 9 && begin[8] == '{' ? Format::safetensors : Format::unknown;
}

std::string no_such_array(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& one : names) all.push_back(base::excerpt(one));
  const std::string there = all.empty() ? "it has none" : "it has " + base::enumerate(std::move(all), 20);
  if (name.empty()) return "holds several arrays, and none was named: " + there;
  const std::string near = base::nearest(name, names);
  return fmt::format("has no array {}{}; {}", base::excerpt(name),
                     near.empty() ? "" : "; did you mean " + base::excerpt(near) + "?", there);
}

}  // namespace poslab::arrays
