// SPDX-License-Identifier: Apache-2.0
// .npy files as numpy writes them, and everything that only looks like one.
#include "poslab/arrays/npy.hpp"

#include <limits>

#include "bytes.hpp"
#include "catch.hpp"

using namespace poslab;
using bytes::little;
using bytes::raw;

namespace {

std::string npy(const std::string& header, const std::string& numbers, int version = 1) {
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + little(header.size(), version == 1 ? 2 : 4) +
         header + numbers;
}

std::string header(const std::string& type, const std::string& shape, const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }          \n";
}

data::KeptArray read_npy(const std::string& file) {
  return arrays::read_npy(arrays::source_of(std::string_view(file)));
}

std::vector<double> numbers_in(const data::KeptArray& array) {
  std::vector<double> all;
  for (std::size_t i = 0; i < array.size(); ++i) all.push_back(array.value(i));
  return all;
}

void refuses_npy(const std::string& file, const std::string& words) {
  INFO(words);
  CHECK_THROWS_WITH(read_npy(file), check::contains(words));
}

}  // namespace

TEST_CASE("npy: doubles, floats and halves, of each version") {
  const std::vector<double> wanted{0, 1, -2, 0.5, 3, 4};
  for (const int version : {1, 2, 3}) {
    const data::KeptArray array = read_npy(npy(header("<f8", "(2, 3)"), raw(wanted), version));
    CHECK(array.shape == std::vector<std::int64_t>{2, 3});
    CHECK(numbers_in(array) == wanted);
  }
  CHECK(numbers_in(read_npy(npy(header("<f4", "(6,)"), raw<float>({0, 1, -2, 0.5F, 3, 4})))) == wanted);
  const std::string halves = raw<std::uint16_t>({0x0000, 0x3C00, 0xC000, 0x3800, 0x4200, 0x4400});
  CHECK(numbers_in(read_npy(npy(header("<f2", "(3, 2)"), halves))) == wanted);
  CHECK(read_npy(npy(header("<f8", "()"), raw<double>({7}))).shape.empty());
}

TEST_CASE("npy: the smallest and the largest halves") {
  const auto values =
      numbers_in(read_npy(npy(header("<f2", "(5,)"), raw<std::uint16_t>({1, 0x03FF, 0x0400, 0x7BFF, 0x7C00}))));
  CHECK(values ==
        std::vector<double>{0x1p-24, 1023 * 0x1p-24, 0x1p-14, 65504, std::numeric_limits<double>::infinity()});
}

TEST_CASE("npy: an array in Fortran's order is turned") {
  const data::KeptArray array = read_npy(npy(header("<f8", "(2, 3)", "True"), raw<double>({0, 3, 1, 4, 2, 5})));
  CHECK(numbers_in(array) == std::vector<double>{0, 1, 2, 3, 4, 5});
  // [i, j, k] is 100 i + 10 j + k
  std::vector<double> columns;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) columns.push_back(100 * i + 10 * j + k);
  const std::vector<double> rows = numbers_in(read_npy(npy(header("<f8", "(2, 3, 4)", "True"), raw(columns))));
  CHECK(rows[0] == 0);
  CHECK(rows[1] == 1);
  CHECK(rows[4] == 10);
  CHECK(rows[12 + 4 + 2] == 112);
  CHECK(rows[23] == 123);
}

TEST_CASE("npy: what is cut short or lies is refused with a sentence") {
  const std::string good = npy(header("<f8", "(2, 3)"), raw<double>({0, 1, 2, 3, 4, 5}));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_THROWS_AS(read_npy(good.substr(0, size)), arrays::BadArray);
  refuses_npy(good + "x", "49 bytes after its header, and its shape 2 x 3 of <f8 needs 48");
  refuses_npy("", "ends too soon");
  refuses_npy(npy(header("<i8", "(1,)"), raw<double>({1})), "type \"<i8\"");
  refuses_npy(npy(header(">f8", "(1,)"), raw<double>({1})), "type \">f8\"");
  refuses_npy(npy(header("|O", "(1,)"), raw<double>({1})), "astype");
  refuses_npy(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", raw<double>({1})), "records");
  refuses_npy(npy(header("<f8", "(0,)"), ""), "no numbers");
  refuses_npy(npy(header("<f8", "(-1,)"), ""), "too large");
  refuses_npy(npy(header("<f8", "(4294967296, 4294967296)"), ""), "too large");
  refuses_npy(npy(header("<f8", "(9223372036854775807,)"), ""), "too large");
  refuses_npy(npy(header("<f8", "(99999999999999999999,)"), ""), "numpy does not write");
  refuses_npy(npy(header("<f8", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), raw<double>({1})), "more than 8 axes");
  refuses_npy(npy(header("<f8", "(1,)", "Perhaps"), raw<double>({1})), "numpy does not write");
  refuses_npy(npy("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", raw<double>({1})),
              "unknown or repeated");
  refuses_npy(npy("{'descr': '<f8', 'shape': (1,)}", raw<double>({1})), "lacks one of");
  refuses_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x", raw<double>({1})),
              "numpy does not write");
  refuses_npy(npy(header("<f8", "(1,)"), raw<double>({1}), 4), "version 4.0");
  refuses_npy("\x93NUMPY\x02" + std::string(1, '\0') + little(0xFFFFFFFF, 4), "header has 4294967295 bytes");
}

TEST_CASE("npy: no single changed byte of a header does more than an exception") {
  const std::string good = npy(header("<f8", "(2, 3)"), raw<double>({0, 1, 2, 3, 4, 5}));
  for (std::size_t at = 0; at < good.size() - 48; ++at)
    for (int value = 0; value < 256; value += 3) {
      std::string file = good;
      file[at] = static_cast<char>(value);
      try {
        const data::KeptArray array = read_npy(file);
        CHECK_FALSE(data::why_not_kept(array));
      } catch (const arrays::BadArray&) {
      }
    }
}
