// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/pack.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "catch.hpp"

using namespace poslab::base;

namespace {

Outcome outcome() {
  Outcome outcome;
  outcome.status = Status::ok;
  outcome.message = "untrained weights \u2013 \"really\"";
  outcome.seconds = 0.1;
  outcome.record.coordinate("position", {0, 1, 2.5});
  outcome.record.coordinate("shift", {1, 10});
  outcome.record.place("position", "row", {0, 0, 1});
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
  REQUIRE(after.record.places().size() == 1);
  CHECK(after.record.places()[0].axis == "row");
  CHECK(pack(after) == pack(before));
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

TEST_CASE("pack: what was cut short anywhere, or has any bit changed, is noticed") {
  for (const std::string& bytes : {pack(outcome()), pack(cell())}) {
    const bool is_outcome = bytes == pack(outcome());
    const auto read = [&](const std::string& text) {
      is_outcome ? static_cast<void>(unpack_outcome(text)) : static_cast<void>(unpack_cell(text));
    };
    for (std::size_t size = 0; size < bytes.size(); ++size) REQUIRE_THROWS_AS(read(bytes.substr(0, size)), NotPacked);
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += 3) {
      std::string changed = bytes;
      changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
      REQUIRE_THROWS_AS(read(changed), NotPacked);
    }
    REQUIRE_THROWS_AS(read(bytes + "x"), NotPacked);
  }
  CHECK_THROWS_AS(unpack_cell(pack(outcome())), NotPacked);
}
