// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/cell.hpp"

#include <limits>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/label.hpp"
#include "poslab/data/record.hpp"
#include "poslab/data/value.hpp"

using namespace poslab;
using namespace poslab::data;

TEST_CASE("values read back") {
  CHECK(to_text(Value{10000.0}) == "10000.0");
  CHECK(to_text(Value{1e300}) == "1e+300");
  CHECK(to_text(Value{std::int64_t{8}}) == "8");
  CHECK(to_json(Value{std::string("a\"b\n")}) == "\"a\\\"b\\u000a\"");
  CHECK(to_json(Value{std::vector<double>{1, 2.5}}) == "[1, 2.5]");
}

TEST_CASE("why_not names value, range and choices") {
  Quantity base{"base", Kind::real, "1", "", 1e4, {1, std::numeric_limits<double>::infinity(), true, false}, {}, false};
  CHECK_FALSE(why_not(base, 2.0));
  CHECK_FALSE(why_not(base, std::int64_t{5}));
  CHECK(why_not(base, 1.0).value().reason == "\"base\" is 1, but must be greater than 1");
  CHECK(why_not(base, std::numeric_limits<double>::quiet_NaN()).value().reason ==
        "\"base\" is nan, but must be greater than 1");
  CHECK(why_not(base, std::string("x")).value().reason == "\"base\" is \"x\", but must be a number");
  Quantity style{"style", Kind::choice, "1", "", std::string("a"), {}, {"interleaved", "half-split"}, false};
  CHECK(why_not(style, std::string("halfsplit")).value().reason ==
        "\"style\" is \"halfsplit\", but must be one of interleaved and half-split; did you mean \"half-split\"?");
  CHECK(std::get<double>(coerce(base, std::int64_t{5})) == 5.0);
}

TEST_CASE("the parameters that a label tells") {
  const Values parameters = {{"base", 1e4}, {"window", std::monostate{}}, {"style", std::string("half-split")}};
  Variant variant{"rope", label_of("rope", parameters, {"base", "window"}), parameters, {"base", "window"}};
  CHECK(variant.label == "rope(base=10000.0)");
  const std::string told = R"({"base": "10000.0", "window": null})";
  CHECK(label_parameters(variant) == told);
  variant.label += " at { grid = [2, 2] }";
  CHECK(label_parameters(variant) == told);
  for (const char* own : {"rope(base=10000.0, window=unset)", "mine(base=10000.0)", "rope"}) {
    variant.label = own;
    CHECK(label_parameters(variant).empty());
  }
  CHECK(label_parameters({"rope", "rope", parameters, {}}) == "{}");
  CHECK(label_parameters({"rope", "rope of ours", parameters, {}}).empty());
}

TEST_CASE("a tolerance is told with all its parts") {
  CHECK(Tolerance{}.text() == "exact");
  CHECK(Tolerance{.statistical = true}.text() == "statistical");
  CHECK(Tolerance{.absolute = 1e-12, .relative = 0.01, .statistical = true}.text() ==
        "1e-12 + 0.01 relative, statistical");
  MeasureInfo measure;
  measure.tolerance = {.statistical = true};
  measure.float32 = Tolerance{.statistical = true};
  CHECK(measure.tolerance_text() == "statistical");
  measure.float32->absolute = 0.5;
  CHECK(measure.tolerance_text() == "statistical (float32: 0.5, statistical)");
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

TEST_CASE("values come back from their JSON as what they were") {
  const Values values{{"n", std::int64_t{8}},
                      {"x", 8.0},
                      {"small", 1e-300},
                      {"on", true},
                      {"word", std::string("a\"b\n")},
                      {"list", std::vector<double>{1, 2.5}},
                      {"none", {}}};
  CHECK(Values::from_json(values.to_json()) == values);
  CHECK(Values::from_json("{}") == Values{});
  for (const char* bad : {"", "[]", "3", "{\"a\": {}}", "{\"a\": [\"b\"]}", "{\"a\": 1", "null"})
    CHECK_FALSE(Values::from_json(bad).has_value());
}
