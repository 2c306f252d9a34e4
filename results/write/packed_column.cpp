// SPDX-License-Identifier: Apache-2.0
#include "write/packed_column.hpp"

#include <bit>
#include <cstring>

namespace poslab::results {
namespace {

constexpr std::size_t width = sizeof(std::uint64_t), block = 1 << 16;  // bytes

static_assert(std::endian::native == std::endian::little, "words are read and written as they lie in memory");

// Takes as many whole words as there are from `buffer`.
void append(hid_t dataset, hsize_t& written, std::string& buffer) {
  std::vector<std::uint64_t> words(buffer.size() / width);
  if (!words.empty()) std::memcpy(words.data(), buffer.data(), words.size() * width);
  h5::write_block(dataset, {written}, {words.size()}, words);
  written += words.size();
  buffer.erase(0, words.size() * width);
}

}  // namespace

void write_packed(Group& group, const std::string& name, const std::string& dimension, std::size_t count,
                  const std::string& sentence, const std::function<std::string(std::size_t)>& record) {
  std::vector<std::uint64_t> ends(count);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) ends[i] = total += record(i).size();
  group.variable(name + "_end", {dimension}, ends,
                 {{"units", "1"}, {"long_name", "after how many bytes of " + name + "_words the record ends"}});
  group.bare_dimension(name + "_word", (total + width - 1) / width);
  const hid_t dataset = group.open_variable(name + "_words", {name + "_word"}, h5::Type::unsigned_integer,
                                            {{"units", "1"}, {"long_name", sentence}});
  std::string buffer;
  std::uint64_t bytes = 0;
  hsize_t written = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string next = record(i);
    bytes += next.size();
    buffer += next;
    if (bytes != ends[i]) throw base::Error("a record of " + name + " changed between two readings");
    if (buffer.size() >= block) append(dataset, written, buffer);
  }
  buffer.resize((buffer.size() + width - 1) / width * width);
  append(dataset, written, buffer);
}

}  // namespace poslab::results
