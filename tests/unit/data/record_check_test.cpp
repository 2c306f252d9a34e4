// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/record.hpp"

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "thrown.hpp"

using namespace poslab::data;

namespace {

ExperimentInfo drift() {
  ExperimentInfo info;
  info.id = "drift";
  info.axes.resize(1);
  info.axes[0].name = "multiple", info.axes[0].inner = true;
  info.dimensions = {{"position", "position", "p"}};
  info.measures.resize(2);
  info.measures[0].name = "worst";
  info.measures[1].name = "error", info.measures[1].dimensions = {"multiple", "position"};
  return info;
}

Cell cell_with(std::vector<double> multiples) {
  Cell cell;
  cell.axes = {{"multiple", Value(std::move(multiples))}};
  return cell;
}

Record record_at(std::vector<double> multiples) {
  Record record;
  const std::size_t count = multiples.size();
  record.coordinate("multiple", std::move(multiples));
  record.coordinate("position", {0, 1});
  record.curve("error", {"multiple", "position"}, std::vector<double>(2 * count));
  record.scalar("worst", 1);
  return record;
}

}  // namespace

TEST_CASE("a record of its cell is accepted, also where not all was measured") {
  CHECK_FALSE(why_not_record_of(record_at({1, 2}), drift(), cell_with({1, 2, 4})));
  CHECK_FALSE(why_not_record_of(Record(), drift(), cell_with({1, 2, 4})));
}

TEST_CASE("a record of another cell or experiment is not") {
  CHECK_THAT(why_not_record_of(record_at({1, 8}), drift(), cell_with({1, 2, 4})).value().reason,
             check::contains("\"multiple\" has values that the cell was not asked for"));
  Record other = record_at({1});
  other.scalar("made_up\n", 1);
  CHECK(why_not_record_of(other, drift(), cell_with({1})).value().reason ==
        "drift does not measure \"made_up\\u000A\"");
  Record flat;
  flat.scalar("error", 1);
  CHECK_THAT(why_not_record_of(flat, drift(), cell_with({1})).value().reason, check::contains("other dimensions"));
  Record elsewhere;
  elsewhere.coordinate("nowhere", {1});
  CHECK_THAT(why_not_record_of(elsewhere, drift(), cell_with({1})).value().reason,
             check::contains("no dimension \"nowhere\""));
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

TEST_CASE("pack: a curve whose size cannot be counted is refused") {
  Outcome outcome;
  outcome.record.coordinate("position", std::vector<double>{0, 1});
  const std::vector<std::string> dimensions(64, "position");  // 2^64 values, which is 0 in 64 bits
  CHECK(check::thrown([&] { static_cast<void>(outcome.record.curve("error", dimensions, {})); }).kind ==
        check::Kind::internal);
}
