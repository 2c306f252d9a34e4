// SPDX-License-Identifier: Apache-2.0
#include "poslab/arrays/write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"

namespace poslab::arrays {
namespace {

static_assert(std::endian::native == std::endian::little, "both formats hold numbers so");

void append(std::string& bytes, std::span<const double> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

// Low byte first.
void append_number(std::string& bytes, std::uint64_t x, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>((x >> (8 * i)) & 0xff);
}

}  // namespace

std::string npy_bytes(const WrittenArray& array) {
  constexpr std::size_t prefix = 10, alignment = 64;
  const std::string comma = array.shape.size() == 1 ? "," : "";  // a tuple of one
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}", fmt::join(array.shape, ", "), comma);
  header.append(alignment - (prefix + header.size() + 1) % alignment, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  append_number(bytes, header.size(), 2);
  bytes += header;
  append(bytes, array.values);
  return bytes;
}

std::string safetensors_bytes(const std::vector<WrittenArray>& all,
                              const std::vector<std::pair<std::string, std::string>>& texts) {
  base::Json header = base::Json::object();
  for (const auto& [name, text] : texts) header["__metadata__"][name] = text;
  std::size_t end = 0;
  for (const WrittenArray& array : all) {
    const std::size_t begin = end;
    end += array.values.size_bytes();
    header[array.name] = {{"dtype", "F64"}, {"shape", array.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = base::json_text(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  append_number(bytes, text.size(), 8);
  bytes += text;
  for (const WrittenArray& array : all) append(bytes, array.values);
  return bytes;
}

}  // namespace poslab::arrays
