// SPDX-License-Identifier: Apache-2.0
// .safetensors files, and everything that only looks like one.
#include "poslab/arrays/safetensors.hpp"

#include "bytes.hpp"
#include "catch.hpp"

using namespace poslab;
using bytes::raw;

namespace {

std::string tensors(const std::string& header, const std::string& data) {
  return bytes::little(header.size(), 8) + header + data;
}

std::vector<double> read_tensor(const std::string& file, const std::string& name) {
  const arrays::Source source = arrays::source_of(std::string_view(file));
  const data::KeptArray array = arrays::Safetensors(source).read(name);
  std::vector<double> all;
  for (std::size_t i = 0; i < array.size(); ++i) all.push_back(array.value(i));
  return all;
}

// One array "w" of four bytes with this entry.
std::string with_entry(const std::string& entry) { return tensors("{\"w\":" + entry + "}", raw<float>({1})); }

void refuses_tensor(const std::string& file, const std::string& words, const std::string& name = "w") {
  INFO(words);
  CHECK_THROWS_WITH(read_tensor(file, name), check::contains(words));
}

const std::string four_types = tensors(
    R"({"__metadata__":{"format":"pt"},"d":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
    R"("f":{"dtype":"F32","shape":[1,2],"data_offsets":[16,24]},"h":{"dtype":"F16","shape":[2,1],"data_offsets":[24,28]},)"
    R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[28,32]},"i":{"dtype":"I8","shape":[3],"data_offsets":[32,35]}})",
    raw<double>({1, -2}) + raw<float>({1, -2}) + raw<std::uint16_t>({0x3C00, 0xC000}) +
        raw<std::uint16_t>({0x3F80, 0xC000}) + "abc");

}  // namespace

TEST_CASE("safetensors: the four types of reals") {
  for (const char* name : {"d", "f", "h", "b"}) CHECK(read_tensor(four_types, name) == std::vector<double>{1, -2});
  const arrays::Source source = arrays::source_of(std::string_view(four_types));
  CHECK(arrays::Safetensors(source).read("f").shape == std::vector<std::int64_t>{1, 2});
  CHECK(arrays::Safetensors(source).names() == std::vector<std::string>{"d", "f", "h", "b", "i"});
}

TEST_CASE("safetensors: a name that is not there comes with those that are") {
  refuses_tensor(four_types, "has no array \"dd\"; did you mean \"d\"?; it has \"d\", \"f\", \"h\", \"b\" and \"i\"",
                 "dd");
  refuses_tensor(four_types, "none was named", "");
  refuses_tensor(four_types, "in the type I8", "i");
}

TEST_CASE("safetensors: as many arrays as may be, in work that grows with their number, and not one more") {
  for (const std::size_t count : {arrays::max_arrays, arrays::max_arrays + 1}) {
    std::string header = "{";
    for (std::size_t i = 0; i < count; ++i)
      header += (i == 0 ? "\"a" : ",\"a") + std::to_string(i) + R"(":{"dtype":"F32","shape":[1],"data_offsets":[)" +
                std::to_string(4 * i) + "," + std::to_string(4 * i + 4) + "]}";
    const std::string file = tensors(header + "}", std::string(4 * count, '\0'));
    if (count == arrays::max_arrays) CHECK(read_tensor(file, "a4711") == std::vector<double>{0});
    if (count > arrays::max_arrays) refuses_tensor(file, "more than 100000 arrays", "a4711");
  }
  std::string numbers = "{\"a\":[0";
  for (std::size_t i = 0; i < 32 * arrays::max_arrays; ++i) numbers += ",0";
  refuses_tensor(tensors(numbers + "]}", ""), "more than 3200000 values");
}

TEST_CASE("safetensors: headers that are cut short or lie are refused with a sentence") {
  for (std::size_t size = 0; size < four_types.size(); ++size)
    CHECK_THROWS_AS(read_tensor(four_types.substr(0, size), "d"), arrays::BadArray);
  refuses_tensor(std::string(8, '\xFF') + "{}", "its header has 18446744073709551615 bytes");
  refuses_tensor(tensors("[]", ""), "no JSON object");
  refuses_tensor(tensors("{\"w\":", ""), "no JSON object");
  refuses_tensor(tensors(std::string(100000, '['), ""), "no JSON object");
  refuses_tensor(with_entry("7"), "does not say dtype");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1]})"), "does not say dtype");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,5]})"), "there are 4 after the header");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"), "bytes 4 to 0");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"), "no whole number");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]})"), "there are 4");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), "gives \"w\" 4 bytes");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})"), "needs more");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]})"), "an extent of");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), "no whole number");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]})"),
                 "at most 8 extents");
  refuses_tensor(with_entry(R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})"), "no numbers");
  const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  refuses_tensor(tensors("{\"w\":" + entry + ",\"v\":" + entry + "}", raw<float>({1})), "share bytes");
  refuses_tensor(tensors("{\"w\":" + entry + ",\"w\":" + entry + "}", raw<float>({1})), "has \"w\" twice");
}

TEST_CASE("safetensors: no changed byte of a header does more than an exception") {
  for (std::size_t at = 0; at < four_types.size() - 35; ++at)
    for (int value = 0; value < 256; value += 5) {
      std::string file = four_types;
      file[at] = static_cast<char>(value);
      try {
        const std::vector<double> numbers = read_tensor(file, "d");
        CHECK(!numbers.empty());
      } catch (const arrays::BadArray&) {
      }
    }
}

TEST_CASE("arrays: a file is what its first bytes say") {
  const auto format = [](const std::string& bytes) {
    return arrays::format_of(arrays::source_of(std::string_view(bytes)));
  };
  CHECK(format(four_types) == arrays::Format::safetensors);
  CHECK(format("\x89HDF\r\n\x1a\n...") == arrays::Format::hdf5);
  CHECK(format("\x93NUMPY...") == arrays::Format::npy);
  CHECK(format("") == arrays::Format::unknown);
  CHECK(format("a text of some length") == arrays::Format::unknown);
}
