// SPDX-License-Identifier: Apache-2.0
// The header is a Python literal: {'descr': '<f4', 'fortran_order': False, 'shape': (512, 128), }
#include "poslab/arrays/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "numbers.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::arrays {
namespace {

constexpr std::uint64_t max_npy_header = 1 << 16;

struct Header {
  std::string type;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Header read() {
    Header header;
    bool has_type = false, has_order = false, has_shape = false;
    take('{');
    while (!skip('}')) {
      const std::string key = text();
      take(':');
      if (key == "descr" && !has_type && skip('['))
        throw BadArray("holds records, and only plain numbers are read: save each of its fields by itself");
      else if (key == "descr" && !has_type)
        header.type = text(), has_type = true;
      else if (key == "fortran_order" && !has_order)
        header.fortran = flag(), has_order = true;
      else if (key == "shape" && !has_shape)
        header.shape = tuple(), has_shape = true;
      else
        throw BadArray(fmt::format("has an unknown or repeated key {} in its header", base::excerpt(key)));
      if (!skip(',')) {
        take('}');
        break;
      }
    }
    blanks();
    if (!rest_.empty()) bad();
    if (!has_type || !has_order || !has_shape)
      throw BadArray("lacks one of descr, fortran_order and shape in its header");
    return header;
  }

 private:
  [[noreturn]] void bad() const {
    throw BadArray(fmt::format("has a header that numpy does not write, at {}", base::excerpt(std::string(rest_))));
  }
  void blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool skip(char c) {
    blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void take(char c) {
    if (!skip(c)) bad();
  }
  std::string text() {
    blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') bad();
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) bad();
    std::string inside(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return inside;
  }
  bool flag() {
    blanks();
    for (const bool value : {true, false})
      if (const std::string_view word = value ? "True" : "False"; rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    bad();
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> numbers;
    take('(');
    while (!skip(')')) {
      blanks();
      std::int64_t number = 0;
      const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
      if (problem != std::errc()) bad();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      numbers.push_back(number);
      if (numbers.size() > max_dimensions) throw BadArray(fmt::format("has more than {} axes", max_dimensions));
      if (!skip(',')) {
        take(')');
        break;
      }
    }
    return numbers;
  }

  std::string_view rest_;
};

Real type_of(const std::string& type, Accept accept) {
  if (type == "<f8") return Real::float64;
  if (type == "<f4") return Real::float32;
  if (type == "<f2") return Real::float16;
  if (accept == Accept::reals_and_whole && type == "<i8") return Real::int64;
  if (accept == Accept::reals_and_whole && type == "<i4") return Real::int32;
  throw BadArray(
      fmt::format("holds numbers of type {}, and only {} are read: save it with "
                  "numpy.save(file, array.astype(\"<f4\"))",
                  base::excerpt(type), accept == Accept::reals ? "<f2, <f4 and <f8" : "<f2, <f4, <f8, <i4 and <i8"));
}

// Where the header begins, and how long it is.
std::pair<std::uint64_t, std::uint64_t> header_place(const Source& source) {
  const std::string begin = source.exactly(0, 8, "the beginning of a .npy file");
  if (!begin.starts_with("\x93NUMPY")) throw BadArray("is no .npy file");
  const int version = static_cast<unsigned char>(begin[6]);
  if (version < 1 || version > 3 || begin[7] != 0)
    throw BadArray(fmt::format("has version {}.{} of .npy, and 1.0, 2.0 and 3.0 are read", version,
                               static_cast<unsigned char>(begin[7])));
  const std::uint64_t width = version == 1 ? 2 : 4;
  const std::string size = source.exactly(8, width, "the size of the header");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= std::uint64_t{static_cast<unsigned char>(size[i])} << (8 * i);
  if (length > max_npy_header) throw BadArray(fmt::format("says that its header has {} bytes", length));
  return {8 + width, length};
}

// Index i of the row-major array, as that of the same element with the first axis fastest.
template <class T>
std::vector<T> row_major(const std::vector<T>& columns, const std::vector<std::int64_t>& shape) {
  std::vector<T> rows(columns.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (T& number : rows) {
    std::size_t at = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;)
      at = at * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(index[axis]);
    number = columns[at];
    for (std::size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];) index[axis] = 0;
  }
  return rows;
}

}  // namespace

data::KeptArray read_npy(const Source& source, Accept accept) {
  const auto [begin, length] = header_place(source);
  const std::string text = source.exactly(begin, length, "the header");
  Header header = HeaderReader(text).read();
  const Real type = type_of(header.type, accept);
  const auto bytes = bytes_of(header.shape, width_of(type));
  if (!bytes || *bytes > largest_array)
    throw BadArray(
        fmt::format("says that its shape is {}: too large", data::KeptArray{"", header.shape, {}}.shape_text()));
  if (*bytes == 0) throw BadArray("holds no numbers");
  const std::uint64_t data = begin + length;
  if (source.size != data + *bytes)
    throw BadArray(fmt::format("has {} bytes after its header, and its shape {} of {} needs {}",
                               source.size - std::min(source.size, data),
                               data::KeptArray{"", header.shape, {}}.shape_text(), header.type, *bytes));
  data::KeptArray array{"array", header.shape, numbers_of(source.exactly(data, *bytes, "the numbers"), type)};
  if (header.fortran) std::visit([&](auto& list) { list = row_major(list, array.shape); }, array.values);
  return array;
}

}  // namespace poslab::arrays
