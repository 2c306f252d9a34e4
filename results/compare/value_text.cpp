// SPDX-License-Identifier: Apache-2.0
#include "compare/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "h5/attribute.hpp"
#include "h5/raw_bytes.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

std::string numbers_text(const h5::Handle& object, const std::string& name) {
  const h5::Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
  const h5::Handle type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
  const h5::Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  if (H5Tget_class(type) == H5T_STRING) throw base::Error("texts are no numbers");
  const std::string bytes = raw_value(attribute, type, space);
  const std::size_t width = H5Tget_size(type), count = bytes.size() / width;
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    text += (i > 0 ? ", " : "") + number_text(type, &bytes[i * width]);
  return text + (count > most ? fmt::format(" and {} more", count - most) : "");
}

}  // namespace

std::string number_text(const h5::Handle& type, const void* bytes) {
  alignas(8) std::array<unsigned char, 8> value{};
  std::memcpy(value.data(), bytes, std::min(value.size(), H5Tget_size(type)));
  const auto as = [&](hid_t native, auto number) {
    h5::check(H5Tconvert(type, native, 1, value.data(), nullptr, H5P_DEFAULT), "H5Tconvert");
    std::memcpy(&number, value.data(), sizeof number);
    return number;
  };
  if (H5Tget_class(type) != H5T_INTEGER) return base::shortest(as(H5T_NATIVE_DOUBLE, double{}));
  return H5Tget_sign(type) == H5T_SGN_NONE ? std::to_string(as(H5T_NATIVE_UINT64, std::uint64_t{}))
                                           : std::to_string(as(H5T_NATIVE_INT64, std::int64_t{}));
}

std::string attribute_text(const h5::Handle& object, const std::string& name) {
  try {
    return "\"" + h5::text_attribute(object, name) + "\"";
  } catch (const base::Error&) {  // it is no text, or has several values
  }
  try {
    return numbers_text(object, name);
  } catch (const base::Error&) {
    return "one value";
  }
}

}  // namespace poslab::results
