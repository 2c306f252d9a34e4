// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/pack.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "poslab/base/hash.hpp"

using namespace poslab;
using namespace poslab::data;

namespace {

Outcome outcome() {
  Outcome outcome;
  outcome.status = Status::ok;
  outcome.message = "untrained weights \u2013 \"really\"";
  outcome.seconds = 0.1;
  outcome.record.coordinate("position", {0, 1, 2.5});
  outcome.record.coordinate("shift", {1, 10});
  outcome.record.position_coordinate("position", "row", {0, 0, 1});
  outcome.record.scalar("min_distance", -0.0);
  outcome.record.curve("error", {"shift", "position"}, {1, std::nan("7"), 3, -INFINITY, 5e-324, 6});
  return outcome;
}

Cell cell() {
  Cell cell;
  cell.id = "0123";
  cell.experiment = "uniqueness";
  cell.variant = {"rope",
                  "rope(base=1e4)",
                  {{"base", Value(1e4)},
                   {"style", Value(std::string("half-split"))},
                   {"width", Value()},
                   {"flag", Value(true)},
                   {"sections", Value(std::vector<double>{1, 2, 3})}},
                  {"base"}};
  cell.axes = {{"length", Value(std::int64_t{-9})}, {"shift", Value(std::vector<double>{})}};
  cell.seed = std::numeric_limits<std::uint64_t>::max();
  cell.repeat = 3;
  cell.skip = "too long";
  cell.placement.policy = Placement::Policy::grid;
  cell.placement.extents = {16, 8};
  return cell;
}

Outcome kept() {
  Outcome kept = outcome();
  kept.record.trained({"copy", 2000});
  kept.record.keep("scheme/table/0", {2, 3}, std::vector<double>{1, -0.0, std::nan("7"), 4, 5, 6});
  kept.record.keep("network/head", {2}, std::vector<float>{0.5F, -2});
  kept.record.keep("network/scale", {}, std::vector<double>{3});
  return kept;
}

Cell given() {
  Cell given = cell();
  given.given = {{"text", "ab12"}, {"weights", "cd34"}};
  return given;
}

GivenWeights weights() { return {"trained on copy, 2000 steps", kept().record.kept()}; }

Quantity quantity() {
  Quantity quantity;
  quantity.name = "base", quantity.unit = "m", quantity.sentence = "what it is";
  quantity.kind = Kind::choice;
  quantity.default_value = Value(std::string("half"));
  quantity.range = {-1.5, 7, true, true};
  quantity.choices = {"half", "whole", ""};
  quantity.may_be_unset = true;
  return quantity;
}

SchemeInfo scheme() {
  SchemeInfo scheme{
      "rope", "Rotary",           "1.2", "Su", "turns", "R x", "Llama", Family::contextual, 2, 3, true, {}, "/f",
      "ab",   {{"/lib.so", "cd"}}};
  scheme.parameters = {quantity(), Quantity{}, quantity()};
  scheme.parameters[1].name = "width";
  return scheme;
}

ExperimentInfo experiment() {
  ExperimentInfo experiment{"shift", "2", "Shift", "why?", {}, {{"offset", "tokens", "how far", {"length"}, 2}},
                            {},      true};
  experiment.axes.resize(2);
  static_cast<Quantity&>(experiment.axes[0]) = quantity();
  experiment.axes[1].name = "shift", experiment.axes[1].inner = true;
  experiment.measures.push_back({"error",
                                 {"shift", "offset"},
                                 "1",
                                 "sentence",
                                 "a - b",
                                 "0",
                                 {1, 0.5, 0.25, 0.125, true},
                                 Tolerance{2, 0, 0, 3, false},
                                 "norm"});
  experiment.measures.push_back({});
  return experiment;
}

ExperimentInfo with_files() {
  ExperimentInfo with_files = experiment();
  with_files.files = {{"text", "any text"}};
  return with_files;
}

Expectation expectation() {
  return {"shift", "error", {{"scheme", Value(std::string("rope"))}, {"length", Value(std::int64_t{8})}},
          1.25,    1e-6,    "paper",
          14,      3};
}

Expectation difference() {
  Expectation expected = expectation();
  expected.gate = Gate::at_most, expected.repeats = OverRepeats::mean;
  expected.minus = {{"scheme", Value(std::string("none"))}, {"length", Value(std::int64_t{8})}};
  return expected;
}

void check_equal(const Quantity& a, const Quantity& b) {
  CHECK(a.name == b.name);
  CHECK(a.kind == b.kind);
  CHECK(a.unit == b.unit);
  CHECK(a.sentence == b.sentence);
  CHECK(a.default_value == b.default_value);
  CHECK(a.range.lowest == b.range.lowest);
  CHECK(a.range.highest == b.range.highest);
  CHECK(a.range.above_lowest == b.range.above_lowest);
  CHECK(a.range.below_highest == b.range.below_highest);
  CHECK(a.choices == b.choices);
  CHECK(a.may_be_unset == b.may_be_unset);
}

// Reads any of the seven, and packs it again.
std::string repack(const std::string& bytes, char letter) {
  switch (letter) {
    case 'O': return pack(unpack_outcome(bytes));
    case 'C': return pack(unpack_cell(bytes));
    case 'S': return pack(unpack_scheme(bytes));
    case 'E': return pack(unpack_experiment(bytes));
    case 'V': return pack(unpack_values(bytes));
    case 'W': return pack(unpack_given_weights(bytes));
    default: return pack(unpack_expectation(bytes));
  }
}

std::vector<std::string> all_kinds() {
  return {pack(outcome()),    pack(cell()),        pack(scheme()),
          pack(experiment()), pack(expectation()), pack(cell().variant.parameters),
          pack(kept()),       pack(given()),       pack(with_files()),
          pack(weights()),    pack(difference())};
}

constexpr std::size_t checksum_size = 16;
char letter_of(const std::string& bytes) { return bytes[checksum_size]; }

// The same bytes with a checksum that is right, as somebody makes it who means harm.
std::string sealed(const std::string& bytes) {
  const std::string body = bytes.substr(checksum_size);
  return base::sha256(body).substr(0, checksum_size) + body;
}

// Whether `bytes`, if they are taken, come back byte for byte.
bool refused_or_unchanged(const std::string& bytes, char letter, int& refused) {
  try {
    return repack(bytes, letter) == bytes;
  } catch (const NotPacked&) {
    ++refused;
    return true;
  }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

}  // namespace

TEST_CASE("pack: an outcome comes back bit for bit") {
  const Outcome before = outcome(), after = unpack_outcome(pack(before));
  CHECK(after.status == before.status);
  CHECK(after.message == before.message);
  CHECK(after.seconds == before.seconds);
  REQUIRE(after.record.measurements().size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Measurement &a = before.record.measurements()[i], &b = after.record.measurements()[i];
    CHECK(a.name == b.name);
    CHECK(a.dimensions == b.dimensions);
    CHECK(same_bits(a.values, b.values));
  }
  REQUIRE(after.record.coordinates().size() == 2);
  CHECK(after.record.coordinates()[0].values == std::vector<double>{0, 1, 2.5});
  REQUIRE(after.record.position_coordinates().size() == 1);
  CHECK(after.record.position_coordinates()[0].axis == "row");
  CHECK(pack(after) == pack(before));
}

TEST_CASE("pack: kept arrays come back bit for bit, and older records are as they were") {
  const Outcome got = unpack_outcome(pack(kept()));
  CHECK(got.record.training() == Training{"copy", 2000});
  REQUIRE(got.record.kept().size() == 3);
  CHECK(got.record.kept()[0].name == "scheme/table/0");
  CHECK(got.record.kept()[0].shape == std::vector<std::int64_t>{2, 3});
  CHECK(std::bit_cast<std::uint64_t>(got.record.kept()[0].value(2)) == std::bit_cast<std::uint64_t>(std::nan("7")));
  CHECK(std::get<std::vector<float>>(got.record.kept()[1].values) == std::vector<float>{0.5F, -2});
  CHECK(got.record.kept()[2].shape.empty());
  CHECK(unpack_cell(pack(given())).given == given().given);
  CHECK(unpack_experiment(pack(with_files())).files == with_files().files);
  CHECK(unpack_given_weights(pack(weights())).note == weights().note);
  const auto version = [](const std::string& bytes) { return int{bytes[17]}; };
  CHECK(version(pack(outcome())) == 1);
  CHECK(version(pack(kept())) == 2);
  CHECK(version(pack(cell())) == 1);
  CHECK(version(pack(given())) == 2);
}

TEST_CASE("record: what cannot be kept is refused") {
  Record record;
  const std::vector<double> two{1, 2};
  CHECK_THROWS_WITH(record.keep("a", {3}, two), check::contains("has 2 values, but its shape 3 holds 3"));
  CHECK_THROWS_WITH(record.keep("a", {2, 0}, std::vector<double>{}), check::contains("has the shape 2 x 0"));
  CHECK_THROWS_WITH(record.keep("a", {std::int64_t{1} << 62, 8}, two), check::contains("has the shape"));
  for (const char* name : {"", "/", "a/", "/a", "a//b", "1/a", "a b", "a/..", "a\n", "a/-b"})
    CHECK_THROWS_WITH(record.keep(name, {2}, two), check::contains("cannot be the name"));
  record.keep("network/0/query-weight", {2}, two);
  CHECK_THROWS_WITH(record.keep("network/0/query-weight", {2}, two), check::contains("kept twice"));
}

TEST_CASE("pack: a cell comes back, with every kind of value") {
  const Cell before = cell(), after = unpack_cell(pack(before));
  CHECK(after.id == before.id);
  CHECK(after.variant == before.variant);
  CHECK(after.axes == before.axes);
  CHECK(after.seed == before.seed);
  CHECK(after.repeat == before.repeat);
  CHECK(after.skip == before.skip);
  CHECK(after.placement == before.placement);
}

TEST_CASE("pack: a scheme comes back, with every member") {
  const SchemeInfo before = scheme(), after = unpack_scheme(pack(before));
  CHECK(after.id == before.id);
  CHECK(after.title == before.title);
  CHECK(after.version == before.version);
  CHECK(after.paper == before.paper);
  CHECK(after.summary == before.summary);
  CHECK(after.formula == before.formula);
  CHECK(after.used_in == before.used_in);
  CHECK(after.family == before.family);
  CHECK(after.least_axes == before.least_axes);
  CHECK(after.most_axes == before.most_axes);
  CHECK(after.real_positions == before.real_positions);
  CHECK(after.file == before.file);
  CHECK(after.file_hash == before.file_hash);
  REQUIRE(after.parameters.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) check_equal(after.parameters[i], before.parameters[i]);
}

TEST_CASE("pack: an experiment comes back, with every member") {
  const ExperimentInfo before = experiment(), after = unpack_experiment(pack(before));
  CHECK(after.id == before.id);
  CHECK(after.version == before.version);
  CHECK(after.title == before.title);
  CHECK(after.question == before.question);
  CHECK(after.draws_contents == before.draws_contents);
  REQUIRE(after.axes.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) check_equal(after.axes[i], before.axes[i]);
  CHECK(!after.axes[0].inner);
  CHECK(after.axes[1].inner);
  REQUIRE(after.dimensions.size() == 1);
  CHECK(after.dimensions[0].name == "offset");
  CHECK(after.dimensions[0].unit == "tokens");
  CHECK(after.dimensions[0].sentence == "how far");
  REQUIRE(after.measures.size() == 2);
  const MeasureInfo &a = after.measures[0], &b = before.measures[0];
  CHECK(a.name == b.name);
  CHECK(a.dimensions == b.dimensions);
  CHECK(a.unit == b.unit);
  CHECK(a.sentence == b.sentence);
  CHECK(a.definition == b.definition);
  CHECK(a.null_value == b.null_value);
  CHECK(a.tolerance.absolute == 1);
  CHECK(a.tolerance.relative == 0.5);
  CHECK(a.tolerance.per_position == 0.25);
  CHECK(a.tolerance.per_length == 0.125);
  CHECK(a.tolerance.statistical);
  REQUIRE(a.float32);
  CHECK(a.float32->absolute == 2);
  CHECK(a.float32->per_length == 3);
  CHECK_FALSE(a.float32->statistical);
  CHECK(a.tolerance_unit == "norm");
  CHECK_FALSE(after.measures[1].float32);
}

TEST_CASE("pack: an expectation comes back, with every member") {
  const Expectation before = expectation(), after = unpack_expectation(pack(before));
  CHECK(after.experiment == before.experiment);
  CHECK(after.measure == before.measure);
  CHECK(after.where == before.where);
  CHECK(after.value == before.value);
  CHECK(after.tolerance == before.tolerance);
  CHECK(after.source == before.source);
  CHECK(after.line == before.line);
  CHECK(after.column == before.column);
}

TEST_CASE("pack: an expectation of a difference comes back, and others are packed as they were") {
  const Expectation before = difference(), after = unpack_expectation(pack(before));
  CHECK(after.gate == before.gate);
  CHECK(after.repeats == before.repeats);
  CHECK(after.minus == before.minus);
  CHECK(after.column == before.column);
  CHECK(pack(expectation()).size() < pack(before).size());
}

TEST_CASE("pack: what was cut short anywhere, or has any bit changed, is noticed") {
  for (const std::string& bytes : all_kinds()) {
    const char letter = letter_of(bytes);
    CHECK(repack(bytes, letter) == bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      REQUIRE_THROWS_AS(repack(bytes.substr(0, size), letter), NotPacked);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      REQUIRE_THROWS_AS(repack(changed, letter), NotPacked);
    }
    REQUIRE_THROWS_AS(repack(bytes + "x", letter), NotPacked);
    for (const char other : {'O', 'C', 'S', 'E', 'X', 'V'})
      if (other != letter) CHECK_THROWS_AS(repack(bytes, other), NotPacked);
  }
}

TEST_CASE("pack: with a checksum that fits, changed bytes are refused or come back as they are") {
  for (const std::string& bytes : all_kinds()) {
    const char letter = letter_of(bytes);
    for (std::size_t size = checksum_size; size < bytes.size(); ++size)
      REQUIRE_THROWS_AS(repack(sealed(bytes.substr(0, size)), letter), NotPacked);
    int refused = 0;
    for (std::size_t bit = 8 * checksum_size; bit < 8 * bytes.size(); ++bit) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      changed = sealed(changed);
      const bool as_it_was = refused_or_unchanged(changed, letter, refused);
      REQUIRE(as_it_was);
    }
    CHECK(refused > 100);
  }
}

TEST_CASE("pack: no promised length is believed") {
  // Any eight bytes may be a length: each becomes an enormous one.
  int refused = 0;
  for (const std::string& bytes : all_kinds())
    for (const std::uint64_t enormous : {std::uint64_t{1} << 60, std::uint64_t{1} << 32, ~std::uint64_t{0}})
      for (std::size_t at = checksum_size + 2; at + 8 <= bytes.size(); ++at) {
        std::string changed = bytes;
        changed.replace(at, 8, reinterpret_cast<const char*>(&enormous), 8);
        const bool as_it_was = refused_or_unchanged(sealed(changed), letter_of(bytes), refused);
        REQUIRE(as_it_was);
      }
  CHECK(refused > 1000);
}

TEST_CASE("pack: a curve whose size cannot be counted is refused") {
  Outcome outcome;
  outcome.record.coordinate("position", std::vector<double>{0, 1});
  const std::vector<std::string> dimensions(64, "position");  // 2^64 values, which is 0 in 64 bits
  CHECK_THROWS_AS(outcome.record.curve("error", dimensions, {}), base::Error);
}
