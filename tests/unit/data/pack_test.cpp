// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/pack.hpp"

#include <bit>
#include <cmath>

#include "catch.hpp"
#include "packed.hpp"

using namespace packed;

namespace {

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
  CHECK(a.usual == b.usual);
  CHECK(a.role == b.role);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

}  // namespace

TEST_CASE("pack: the state of weights comes back, and that of an older outcome is read off its note") {
  for (const WeightsState state :
       {WeightsState::none, WeightsState::untrained, WeightsState::trained, WeightsState::given}) {
    Outcome outcome;
    outcome.weights = state;
    outcome.message = "a note";
    CHECK(unpack<Outcome>(pack(outcome)).weights == state);
  }
  const auto older = [](const std::string& note) {
    Outcome outcome;
    outcome.message = note;
    std::string bytes = pack(outcome);
    const std::size_t at = bytes.find('\x08', checksum_size);  // status ok, no weights; in an older one 0
    REQUIRE(at != std::string::npos);
    bytes[at] = '\0';
    return unpack<Outcome>(sealed(bytes)).weights;
  };
  CHECK(older("") == WeightsState::none);
  CHECK(older("untrained weights") == WeightsState::untrained);
  CHECK(older("trained on copy, 2 layers, 20 steps") == WeightsState::trained);
  CHECK(older("given weights: table from file ab12") == WeightsState::given);
}

TEST_CASE("pack: an outcome comes back bit for bit") {
  const Outcome before = outcome(), after = unpack<Outcome>(pack(before));
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
  const Outcome got = unpack<Outcome>(pack(kept()));
  CHECK(got.record.training() == Training{"copy", 2000});
  REQUIRE(got.record.kept().size() == 3);
  CHECK(got.record.kept()[0].name == "scheme/table/0");
  CHECK(got.record.kept()[0].shape == std::vector<std::int64_t>{2, 3});
  CHECK(std::bit_cast<std::uint64_t>(got.record.kept()[0].value(2)) == std::bit_cast<std::uint64_t>(std::nan("7")));
  CHECK(std::get<std::vector<float>>(got.record.kept()[1].values) == std::vector<float>{0.5F, -2});
  CHECK(got.record.kept()[2].shape.empty());
  CHECK(unpack<Cell>(pack(given())).given == given().given);
  CHECK(unpack<ExperimentInfo>(pack(with_files())).files == with_files().files);
  CHECK(unpack<GivenWeights>(pack(weights())).note == weights().note);
  const auto version = [](const std::string& bytes) { return int{bytes[17]}; };
  CHECK(version(pack(outcome())) == 1);
  CHECK(version(pack(kept())) == 2);
  CHECK(version(pack(cell())) == 1);
  CHECK(version(pack(given())) == 2);
  CHECK(version(pack(mixed())) == 3);
  CHECK(version(pack(scheme())) == 1);
  CHECK(version(pack(mixed_scheme())) == 2);
}

TEST_CASE("pack: facts of the attempt come back by name, and outcomes without later ones are packed as they were") {
  Outcome outcome = packed::outcome();
  const std::string before = pack(outcome);
  CHECK(before[17] == 1);
  int number = 0;
  for_each_fact(outcome, [&](const char*, const char*, const char*, double& fact) { fact = ++number; });
  const std::string bytes = pack(outcome);
  CHECK(bytes[17] == 3);
  const Outcome back = unpack<Outcome>(bytes);
  number = 0;
  for_each_fact(back, [&](const char*, const char*, const char*, double fact) { CHECK(fact == ++number); });
  CHECK(pack(back) == bytes);
  std::string unknown = bytes;
  unknown.replace(unknown.rfind("peak_memory"), 11, "peak_melody");
  unknown.replace(0, 16, poslab::base::sha256(unknown.substr(16)).substr(0, 16));
  CHECK_THROWS_WITH(unpack<Outcome>(unknown), check::contains("facts that this program does not know"));
}

TEST_CASE("pack: a cell comes back, with every kind of value") {
  const Cell before = cell(), after = unpack<Cell>(pack(before));
  CHECK(after.id == before.id);
  CHECK(after.variant == before.variant);
  CHECK(after.axes == before.axes);
  CHECK(after.seed == before.seed);
  CHECK(after.repeat == before.repeat);
  CHECK(after.skip == before.skip);
  CHECK(after.placement == before.placement);
}

TEST_CASE("pack: what has layers comes back with them, and without given files") {
  const Cell cell = unpack<Cell>(pack(mixed()));
  CHECK(cell.variant == mixed().variant);
  CHECK(cell.given.empty());
  const SchemeInfo scheme = unpack<SchemeInfo>(pack(mixed_scheme()));
  REQUIRE(scheme.parts.size() == 2);
  CHECK(scheme.parts[0].id == "rope");
  CHECK(scheme.parts[1].id == "none");
  CHECK(scheme.parts[1].code_hash() == packed::scheme().code_hash());
}

TEST_CASE("pack: a scheme comes back, with every member") {
  const SchemeInfo before = scheme(), after = unpack<SchemeInfo>(pack(before));
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
  REQUIRE(after.linked.size() == 1);
  CHECK(after.code_hash() == before.code_hash());
  REQUIRE(after.parameters.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) check_equal(after.parameters[i], before.parameters[i]);
}

TEST_CASE("pack: a scheme comes back with what is usual of its parameters, and of its parts'") {
  const SchemeInfo before = usual_scheme(), after = unpack<SchemeInfo>(pack(before));
  REQUIRE(after.parameters.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) check_equal(after.parameters[i], before.parameters[i]);
  SchemeInfo mixed = mixed_scheme();
  mixed.parts[0] = usual_scheme();
  const SchemeInfo again = unpack<SchemeInfo>(pack(mixed));
  REQUIRE(again.parts.size() == 2);
  check_equal(again.parts[0].parameters[1], before.parameters[1]);
  CHECK(again.parts[1].parameters[2].role == Role::none);
}

TEST_CASE("pack: an experiment comes back, with every member") {
  const ExperimentInfo before = experiment(), after = unpack<ExperimentInfo>(pack(before));
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
  CHECK(after.dimensions[0].within == std::vector<std::string>{"length"});
  CHECK(after.dimensions[0].times == 2);
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
  const Expectation before = expectation(), after = unpack<Expectation>(pack(before));
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
  const Expectation before = difference(), after = unpack<Expectation>(pack(before));
  CHECK(after.gate == before.gate);
  CHECK(after.repeats == before.repeats);
  CHECK(after.minus == before.minus);
  CHECK(after.column == before.column);
  CHECK(pack(expectation()).size() < pack(before).size());
}
