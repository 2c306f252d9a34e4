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

void append(std::string& bytes, std::span<const std::byte> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size());
}

// Low byte first.
void append_number(std::string& bytes, std::uint64_t x, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>((x >> (8 * i)) & 0xff);
}

struct Tensor {
  std::string name;
  const char* type;
  std::vector<std::size_t> shape;
  std::span<const std::byte> values;
};

std::string bytes_of(const std::vector<Tensor>& all, const std::vector<std::pair<std::string, std::string>>& texts) {
  base::Json header = base::Json::object();
  for (const auto& [name, text] : texts) header["__metadata__"][name] = text;
  std::size_t end = 0;
  for (const Tensor& tensor : all) {
    const std::size_t begin = end;
    end += tensor.values.size();
    header[tensor.name] = {{"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = base::json_text(header);
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  append_number(bytes, text.size(), 8);
  bytes += text;
  for (const Tensor& tensor : all) append(bytes, tensor.values);
  return bytes;
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
  append(bytes, std::as_bytes(array.values));
  return bytes;
}

std::string safetensors_bytes(const std::vector<WrittenArray>& all,
                              const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<Tensor> tensors;
  for (const WrittenArray& array : all)
    tensors.push_back({array.name, "F64", array.shape, std::as_bytes(array.values)});
  return bytes_of(tensors, texts);
}

std::string safetensors_bytes(const std::vector<data::KeptArray>& all,
                              const std::vector<std::pair<std::string, std::string>>& texts) {
  std::vector<Tensor> tensors;
  for (const data::KeptArray& array : all)
    std::visit(
        [&](const auto& values) {
          tensors.push_back({array.name,
                             sizeof(values[0]) == 4 ? "F32" : "F64",
                             {array.shape.begin(), array.shape.end()},
                             std::as_bytes(std::span(values))});
        },
        array.values);
  return bytes_of(tensors, texts);
}

}  // namespace poslab::arrays
