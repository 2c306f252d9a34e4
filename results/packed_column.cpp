// SPDX-License-Identifier: Apache-2.0
#include "packed_column.hpp"

#include <algorithm>

namespace poslab::results {
namespace {

constexpr std::size_t block = 1 << 16;

void append(hid_t dataset, std::uint64_t& written, std::string& buffer) {
  h5::write_block(dataset, {written}, {buffer.size()}, std::vector<std::uint8_t>(buffer.begin(), buffer.end()));
  written += buffer.size();
  buffer.clear();
}

}  // namespace

void write_packed(Group& group, const std::string& name, const std::string& dimension, std::size_t count,
                  const std::string& sentence, const std::function<std::string(std::size_t)>& record) {
  std::vector<std::uint64_t> ends(count);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < count; ++i) ends[i] = total += record(i).size();
  group.variable(name + "_end", {dimension}, ends,
                 {{"units", "1"}, {"long_name", "where the record ends in " + name + "_bytes"}});
  group.bare_dimension(name + "_byte", total);
  const hid_t dataset =
      group.open_variable(name + "_bytes", {name + "_byte"}, h5::Type::flag, {{"units", "1"}, {"long_name", sentence}});
  std::string buffer;
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < count; ++i) {
    buffer += record(i);
    if (written + buffer.size() != ends[i]) throw base::Error("a record of " + name + " changed between two readings");
    if (buffer.size() >= block) append(dataset, written, buffer);
  }
  append(dataset, written, buffer);
}

PackedColumn::PackedColumn(const h5::Handle& group, const std::string& name)
    : bytes_(h5::open_dataset(group, name + "_bytes")),
      ends_(h5::read_unsigned(h5::open_dataset(group, name + "_end"))) {
  const std::uint64_t total = h5::believable_length(bytes_);
  if (!std::is_sorted(ends_.begin(), ends_.end()) || (ends_.empty() ? 0 : ends_.back()) != total)
    throw base::Error(name + "_end does not fit " + name + "_bytes");
}

std::string PackedColumn::at(std::size_t i) {
  const std::uint64_t start = i == 0 ? 0 : ends_.at(i - 1), end = ends_.at(i);
  if (start < window_start_ || end > window_start_ + window_.size()) {
    window_start_ = start;
    window_ = h5::read_bytes(
        bytes_, start, std::max<std::uint64_t>(end - start, std::min<std::uint64_t>(block, ends_.back() - start)));
  }
  return window_.substr(start - window_start_, end - start);
}

}  // namespace poslab::results
