// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <type_traits>
#include <variant>

#include "pack/pack_bytes.hpp"
#include "poslab/base/hash.hpp"

namespace poslab::data {

PackWriter::PackWriter(char letter) : bytes_{letter, packed_version} {}

void PackWriter::extend() { bytes_[1] = extended_version; }

void PackWriter::number(std::uint64_t x) { bytes_.append(reinterpret_cast<const char*>(&x), sizeof x); }

void PackWriter::real(double x) { number(std::bit_cast<std::uint64_t>(x)); }

void PackWriter::text(const std::string& text) {
  number(text.size());
  bytes_ += text;
}

void PackWriter::reals(const std::vector<double>& items) {
  number(items.size());
  bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(double));
}

void PackWriter::array(const KeptArray& array) {
  text(array.name);
  list(array.shape, [&](std::int64_t extent) { signed_number(extent); });
  number(array.values.index());
  std::visit(
      [&](const auto& items) {
        number(items.size());
        bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof items[0]);
      },
      array.values);
}

void PackWriter::texts(const std::vector<std::string>& items) {
  list(items, [&](const std::string& item) { text(item); });
}

void PackWriter::value(const Value& value) {
  number(value.index());
  std::visit(
      [&](const auto& x) {
        using X = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<X, bool>) flag(x);
        if constexpr (std::is_same_v<X, std::int64_t>) signed_number(x);
        if constexpr (std::is_same_v<X, double>) real(x);
        if constexpr (std::is_same_v<X, std::string>) text(x);
        if constexpr (std::is_same_v<X, std::vector<double>>) reals(x);
      },
      value);
}

void PackWriter::values(const Values& values) {
  number(values.size());
  for (const auto& [name, value_of] : values) text(name), value(value_of);
}

std::string PackWriter::finish() const { return base::sha256(bytes_).substr(0, checksum_size) + bytes_; }

}  // namespace poslab::data
