// SPDX-License-Identifier: Apache-2.0
#include "poslab/arrays/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "numbers.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::arrays {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t max_safetensors_header = 100'000'000;  // as the format's authors have it
constexpr std::size_t max_values = 32 * max_arrays;            // an array has seven, and its extents

// What is looked for before a header is kept in memory. A key twice in one table would give two readers two arrays. The
// library's own callback looks at all siblings of each table again, which takes a minute for 40,000 arrays.
class HeaderCheck : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_array(std::size_t) override { return value(); }
  bool end_array() override { return true; }
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return value();
  }
  bool end_object() override {
    keys_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    if (keys_.size() == 1 && ++arrays_ > max_arrays)
      throw BadArray(fmt::format("has more than {} arrays in its header", max_arrays));
    if (!keys_.back().insert(name).second)
      throw BadArray(fmt::format("has {} twice in its header", base::excerpt(name)));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool value() {
    if (++values_ > max_values) throw BadArray(fmt::format("has more than {} values in its header", max_values));
    return true;
  }
  std::vector<std::set<std::string>> keys_;
  std::size_t arrays_ = 0, values_ = 0;
};

Json parsed(const std::string& text) {
  HeaderCheck check;
  Json header;
  if (Json::sax_parse(text, &check)) header = Json::parse(text);
  if (!header.is_object()) throw BadArray("has a header that is no JSON object");
  return header;
}

std::optional<Real> real_of(const std::string& type) {
  if (type == "F64") return Real::float64;
  if (type == "F32") return Real::float32;
  if (type == "F16") return Real::float16;
  if (type == "BF16") return Real::bfloat16;
  if (type == "I64") return Real::int64;
  if (type == "I32") return Real::int32;
  return std::nullopt;
}

std::uint64_t whole_number(const Json& value, const std::string& name, const char* what) {
  if (!value.is_number_unsigned())
    throw BadArray(fmt::format("says for {} {} that is no whole number from 0", base::excerpt(name), what));
  return value.get<std::uint64_t>();
}

std::vector<std::int64_t> shape_of(const Json& value, const std::string& name) {
  if (!value.is_array() || value.size() > max_dimensions)
    throw BadArray(
        fmt::format("has no list of at most {} extents as the shape of {}", max_dimensions, base::excerpt(name)));
  std::vector<std::int64_t> shape;
  for (const Json& extent : value) {
    const std::uint64_t number = whole_number(extent, name, "an extent");
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw BadArray(fmt::format("says for {} an extent of {}", base::excerpt(name), number));
    shape.push_back(static_cast<std::int64_t>(number));
  }
  return shape;
}

}  // namespace

Safetensors::Safetensors(const Source& source) : source_(source) {
  const std::string size = source.exactly(0, 8, "the size of the header");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8; ++i) length |= std::uint64_t{static_cast<unsigned char>(size[i])} << (8 * i);
  if (length > max_safetensors_header || length > source.size - 8)
    throw BadArray(fmt::format("says that its header has {} bytes, and the file has {}", length, source.size));
  const std::uint64_t data = 8 + length, room = source.size - data;
  const Json header = parsed(source.exactly(8, length, "the header"));
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      for (const auto& [key, text] : entry.items())
        if (text.is_string()) texts_.emplace(key, text.get<std::string>());
      continue;
    }
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() || !entry.contains("shape") ||
        !entry.contains("data_offsets") || !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
      throw BadArray(fmt::format("does not say dtype, shape and two data_offsets of {}", base::excerpt(name)));
    Entry read{name, entry["dtype"].get<std::string>(), shape_of(entry["shape"], name), 0, 0};
    read.begin = whole_number(entry["data_offsets"][0], name, "an offset");
    read.end = whole_number(entry["data_offsets"][1], name, "an offset");
    if (read.begin > read.end || read.end > room)
      throw BadArray(fmt::format("says that {} has bytes {} to {}, and there are {} after the header",
                                 base::excerpt(name), read.begin, read.end, room));
    const auto type = real_of(read.type);
    const auto bytes = bytes_of(read.shape, type ? width_of(*type) : 1);
    if (!bytes || (type && *bytes != read.end - read.begin))
      throw BadArray(fmt::format("gives {} {} bytes, and its shape {} of {} needs {}", base::excerpt(name),
                                 read.end - read.begin, data::KeptArray{"", read.shape, {}}.shape_text(),
                                 base::printable(read.type.substr(0, 20)), bytes ? std::to_string(*bytes) : "more"));
    read.begin += data, read.end += data;
    entries_.push_back(std::move(read));
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  for (std::size_t i = 1; i < entries_.size(); ++i)
    if (entries_[i].begin < entries_[i - 1].end)
      throw BadArray(fmt::format("says that {} and {} share bytes", base::excerpt(entries_[i - 1].name),
                                 base::excerpt(entries_[i].name)));
}

std::vector<std::string> Safetensors::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

data::KeptArray Safetensors::read(const std::string& name, Accept accept) const {
  const Entry* found = base::find_by(entries_, &Entry::name, name);
  if (!found) throw BadArray(no_such_array(name, names()));
  const auto type = real_of(found->type);
  if (!type || (is_whole(*type) && accept == Accept::reals))
    throw BadArray(fmt::format(
        "has {} in the type {}, and {} are read", base::excerpt(name), base::printable(found->type.substr(0, 20)),
        accept == Accept::reals ? "F64, F32, F16 and BF16" : "F64, F32, F16, BF16, I64 and I32"));
  const std::uint64_t bytes = found->end - found->begin;
  if (bytes == 0) throw BadArray(fmt::format("has no numbers in {}", base::excerpt(name)));
  if (bytes > largest_array)
    throw BadArray(
        fmt::format("has {} in {}: too large", base::human_bytes(static_cast<double>(bytes)), base::excerpt(name)));
  return {"array", found->shape, numbers_of(source_.exactly(found->begin, bytes, "an array"), *type)};
}

}  // namespace poslab::arrays
