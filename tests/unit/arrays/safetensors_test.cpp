// SPDX-License-Identifier: Apache-2.0
// .safetensors files, and everything that only looks like one.
#include "poslab/arrays/safetensors.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

std::string file(const std::string& header, const std::string& data) {
  std::string bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 255);
  return bytes + header + data;
}

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

std::vector<double> read(const std::string& bytes, const std::string& name) {
  const arrays::Source source = arrays::source_of(std::string_view(bytes));
  const data::KeptArray array = arrays::Safetensors(source).read(name);
  std::vector<double> all;
  for (std::size_t i = 0; i < array.size(); ++i) all.push_back(array.value(i));
  return all;
}

// One array "w" of four bytes with this entry.
std::string with_entry(const std::string& entry) { return file("{\"w\":" + entry + "}", raw<float>({1})); }

void refuses(const std::string& bytes, const std::string& words, const std::string& name = "w") {
  INFO(words);
  CHECK_THROWS_WITH(read(bytes, name), check::contains(words));
}

const std::string four_types = file(
    R"({"__metadata__":{"format":"pt"},"d":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
    R"("f":{"dtype":"F32","shape":[1,2],"data_offsets":[16,24]},"h":{"dtype":"F16","shape":[2,1],"data_offsets":[24,28]},)"
    R"("b":{"dtype":"BF16","shape":[2],"data_offsets":[28,32]},"i":{"dtype":"I8","shape":[3],"data_offsets":[32,35]}})",
    raw<double>({1, -2}) + raw<float>({1, -2}) + raw<std::uint16_t>({0x3C00, 0xC000}) +
        raw<std::uint16_t>({0x3F80, 0xC000}) + "abc");

}  // namespace

TEST_CASE("safetensors: the four types of reals") {
  for (const char* name : {"d", "f", "h", "b"}) CHECK(read(four_types, name) == std::vector<double>{1, -2});
  const arrays::Source source = arrays::source_of(std::string_view(four_types));
  CHECK(arrays::Safetensors(source).read("f").shape == std::vector<std::int64_t>{1, 2});
  CHECK(arrays::Safetensors(source).names() == std::vector<std::string>{"d", "f", "h", "b", "i"});
}

TEST_CASE("safetensors: a name that is not there comes with those that are") {
  refuses(four_types, "has no array \"dd\"; did you mean \"d\"?; it has \"d\", \"f\", \"h\", \"b\" and \"i\"", "dd");
  refuses(four_types, "none was named", "");
  refuses(four_types, "in the type I8", "i");
}

TEST_CASE("safetensors: headers that are cut short or lie are refused with a sentence") {
  for (std::size_t size = 0; size < four_types.size(); ++size)
    CHECK_THROWS_AS(read(four_types.substr(0, size), "d"), arrays::BadArray);
  refuses(std::string(8, '\xFF') + "{}", "its header has 18446744073709551615 bytes");
  refuses(file("[]", ""), "no JSON object");
  refuses(file("{\"w\":", ""), "no JSON object");
  refuses(file(std::string(100000, '['), ""), "no JSON object");
  refuses(with_entry("7"), "does not say dtype");
  refuses(with_entry(R"({"dtype":"F32","shape":[1]})"), "does not say dtype");
  refuses(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,5]})"), "there are 4 after the header");
  refuses(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"), "bytes 4 to 0");
  refuses(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})"), "no whole number");
  refuses(with_entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]})"), "there are 4");
  refuses(with_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"), "gives \"w\" 4 bytes");
  refuses(with_entry(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})"), "needs more");
  refuses(with_entry(R"({"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]})"), "an extent of");
  refuses(with_entry(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})"), "no whole number");
  refuses(with_entry(R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]})"), "at most 8 extents");
  refuses(with_entry(R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})"), "no numbers");
  const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  refuses(file("{\"w\":" + entry + ",\"v\":" + entry + "}", raw<float>({1})), "share bytes");
  refuses(file("{\"w\":" + entry + ",\"w\":" + entry + "}", raw<float>({1})), "has \"w\" twice");
}

TEST_CASE("safetensors: no changed byte of a header does more than an exception") {
  for (std::size_t at = 0; at < four_types.size() - 35; ++at)
    for (int value = 0; value < 256; value += 5) {
      std::string bytes = four_types;
      bytes[at] = static_cast<char>(value);
      try {
        CHECK(read(bytes, "d").size() > 0);
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
