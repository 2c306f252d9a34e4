// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "catch.hpp"
#include "poslab/base/array.hpp"
#include "poslab/base/catalogue.hpp"
#include "poslab/base/cell.hpp"
#include "poslab/base/error.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/record.hpp"
#include "poslab/base/text.hpp"
#include "poslab/base/value.hpp"

using namespace poslab::base;

TEST_CASE("did_you_mean finds slips and keeps quiet otherwise") {
  const std::vector<std::string> axes{"length", "d_model", "heads"};
  CHECK(did_you_mean("lenght", axes) == "; did you mean \"length\"?");
  CHECK(did_you_mean("head", axes) == "; did you mean \"heads\"?");
  CHECK(did_you_mean("colour", axes).empty());
}

TEST_CASE("numbers read back") {
  CHECK(shortest(0.1) == "0.1");
  CHECK(shortest(10000) == "10000");
  CHECK(shortest(1e-12) == "1e-12");
  CHECK(shortest(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(to_text(Value{10000.0}) == "10000.0");
  CHECK(to_text(Value{1e300}) == "1e+300");
  CHECK(to_text(Value{std::int64_t{8}}) == "8");
  CHECK(to_json(Value{std::string("a\"b\n")}) == "\"a\\\"b\\u000a\"");
  CHECK(to_json(Value{std::vector<double>{1, 2.5}}) == "[1, 2.5]");
}

TEST_CASE("sha256 of known texts") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK_THROWS_AS(sha256_of_file("/does/not/exist"), FileError);
}

TEST_CASE("why_not names value, range and choices") {
  Quantity base{"base", Kind::real, "1", "", 1e4, {1, std::numeric_limits<double>::infinity(), true, false}, {}, false};
  CHECK(why_not(base, 2.0).empty());
  CHECK(why_not(base, std::int64_t{5}).empty());
  CHECK(why_not(base, 1.0) == "\"base\" is 1, but must be greater than 1");
  CHECK(why_not(base, std::numeric_limits<double>::quiet_NaN()) == "\"base\" is nan, but must be greater than 1");
  CHECK(why_not(base, std::string("x")) == "\"base\" is \"x\", but must be a number");
  Quantity style{"style", Kind::choice, "1", "", std::string("a"), {}, {"interleaved", "half-split"}, false};
  CHECK(why_not(style, std::string("halfsplit")) ==
        "\"style\" is \"halfsplit\", but must be one of interleaved and half-split; did you mean \"half-split\"?");
  CHECK(std::get<double>(coerce(base, std::int64_t{5})) == 5.0);
}

TEST_CASE("a record refuses what does not fit") {
  Record record;
  record.coordinate("position", {0, 1, 2});
  record.curve("norm", {"position"}, {1, 1, 1});
  CHECK_THROWS_WITH(record.curve("short", {"position"}, {1}),
                    check::contains("has 1 values, but its dimensions hold 3"));
  CHECK_THROWS_WITH(record.curve("norm", {"position"}, {1, 1, 1}), check::contains("twice"));
  CHECK_THROWS_WITH(record.curve("x", {"step"}, {1}), check::contains("no coordinates"));
  CHECK_THROWS_WITH(record.coordinate("step", {1, 1}), check::contains("do not increase"));
}

TEST_CASE("a cell's identity changes with everything that it is, and with nothing else") {
  Cell cell;
  cell.experiment = "uniqueness";
  cell.variant = {"rope", "rope", {{"base", 1e4}}, {}};
  cell.axes = {{"length", std::int64_t{128}}};
  const std::string id = identity(cell, "1", "1.0");
  CHECK(id.size() == 32);
  Cell same = cell;
  same.variant.label = "another label";
  same.skip = "why";
  CHECK(identity(same, "1", "1.0") == id);
  Cell other = cell;
  other.repeat = 1;
  CHECK(identity(other, "1", "1.0") != id);
  other = cell;
  other.axes = {{"length", 128.0}};
  CHECK(identity(other, "1", "1.0") != id);
  CHECK(identity(cell, "2", "1.0") != id);
  CHECK(identity(cell, "1", "1.1") != id);
}

TEST_CASE("arrays are aligned, zero-filled and viewed without copies") {
  Array<float> array{3, 4, 5};
  CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
  array(2, 3, 4) = 7;
  CHECK(array.view()[2](3, 4) == 7);
  CHECK(array.view().rows(1, 2)(1, 3, 4) == 7);
  CHECK(array.copy()(2, 3, 4) == 7);
  CHECK(Array<double>{0, 5}.size() == 0);
}

TEST_CASE("texts of strangers reach a terminal without control characters") {
  CHECK(printable("a\x1b[31mred\x7f\r\n") == "a?[31mred???");
  CHECK(printable("two\nlines\t\x1b", Lines::kept) == "two\nlines\t?");
  CHECK(printable("caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8c\x8d") == "caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8c\x8d");
  CHECK(printable("\xc2\x9b"
                  "2J") == "??2J");  // CSI as UTF-8 writes it
  CHECK(printable("\x9b"
                  "2J") == "?2J");  // and as Latin-1 does
}

TEST_CASE("durations are told in units that fit them") {
  CHECK(human_seconds(0.25) == "0.2 s");
  CHECK(human_seconds(59) == "59 s");
  CHECK(human_seconds(61) == "1 min 1 s");
  CHECK(human_seconds(3 * 3600 + 120) == "3 h 2 min");
  CHECK(human_seconds(95 * 3600) == "95 h 0 min");
  CHECK(human_seconds(10 * 24 * 3600) == "10.0 days");
  CHECK(human_seconds(1e30) == "3.2e+22 years");
}
