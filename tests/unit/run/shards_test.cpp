// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/shards.hpp"

#include <map>
#include <set>

#include "catch.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/data/expectation.hpp"
#include "thrown.hpp"

using namespace poslab;
using data::Shard;

namespace {

using Variables = std::map<std::string, std::string>;

run::Environment environment(const Variables& variables) {
  return [variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

Variables task(int id, int first, int last, int count) {
  return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
          {"SLURM_ARRAY_TASK_MIN", std::to_string(first)},
          {"SLURM_ARRAY_TASK_MAX", std::to_string(last)},
          {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
}

Shard parse(const std::string& option, const Variables& variables = {}) {
  return run::parse_shard(option, environment(variables));
}

study::Plan plan_of(int cells) {
  study::Plan plan;
  for (int i = 0; i < cells; ++i) {
    data::Cell cell;
    cell.id = base::sha256(std::to_string(i)).substr(0, 32);
    cell.repeat = i;
    plan.cells.push_back(cell);
    plan.estimates.push_back({1.0 * i, 2.0 * i});
  }
  return plan;
}

}  // namespace

TEST_CASE("shards: i/n") {
  CHECK(parse("3/40") == Shard{3, 40});
  CHECK(parse("1/1") == Shard{1, 1});
  CHECK(parse("10000/10000") == Shard{10000, 10000});
  for (const char* wrong : {"", "3", "/", "3/", "/3", "0/3", "4/3", "-1/3", "3/-4", "1/10001", "1/99999999999", "a/b",
                            "1/2/3", " 1/2", "1/2 ", "1.0/2", "slum", "slurm/", "+1/2"})
    CHECK(check::thrown([&] { static_cast<void>(parse(wrong)); }).kind == check::Kind::argument);
  {
    const poslab::base::Error error = check::thrown([&] { parse("41/40"); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains("41/40"));
    CHECK_THAT(error.what(), check::contains("1/40 ... 40/40"));
  }
}

TEST_CASE("shards: a whole Slurm array, from 1 or from 0") {
  CHECK(parse("slurm", task(3, 1, 40, 40)) == Shard{3, 40});
  CHECK(parse("slurm", task(3, 0, 39, 40)) == Shard{4, 40});
  CHECK(parse("slurm", task(1, 1, 1, 1)) == Shard{1, 1});
}

TEST_CASE("shards: a part of a Slurm array is not taken for a smaller whole") {
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", task(3, 3, 7, 2))); }).kind ==
        check::Kind::argument);  // --array=3,7
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", task(3, 3, 7, 5))); }).kind ==
        check::Kind::argument);  // --array=3-7
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", task(3, 1, 39, 20))); }).kind ==
        check::Kind::argument);  // --array=1-39:2
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", task(3, 3, 3, 1))); }).kind == check::Kind::argument);
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm")); }).kind == check::Kind::argument);
  Variables odd = task(3, 1, 40, 40);
  odd["SLURM_ARRAY_TASK_ID"] = "three";
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", odd)); }).kind == check::Kind::argument);
  odd["SLURM_ARRAY_TASK_ID"] = "41";
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm", odd)); }).kind == check::Kind::argument);
}

TEST_CASE("shards: slurm/n takes the number of the task, whatever part of the array was submitted") {
  CHECK(parse("slurm/40", task(7, 3, 7, 2)) == Shard{7, 40});
  CHECK(parse("slurm/40", task(40, 40, 40, 1)) == Shard{40, 40});
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm/40", task(0, 0, 39, 40))); }).kind == check::Kind::argument);
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm/40", task(41, 1, 41, 41))); }).kind ==
        check::Kind::argument);
  CHECK(check::thrown([&] { static_cast<void>(parse("slurm/40")); }).kind == check::Kind::argument);
}

TEST_CASE("shards: where their results go") {
  CHECK(data::shard_output("a.h5", {3, 40}) == "a.3-of-40.h5");
  CHECK(data::shard_output("some/where/a.b.h5", {1, 2}) == "some/where/a.b.1-of-2.h5");
  CHECK(data::shard_output("a", {1, 2}) == "a.1-of-2");
}

TEST_CASE("shards: every cell belongs to exactly one, evenly, by its identity alone") {
  const int cells = 4000;
  for (const int count : {1, 2, 7, 40}) {
    std::set<std::size_t> indices;
    for (int index = 1; index <= count; ++index) {
      const run::ShardPlan part = run::cut(plan_of(cells), Shard{index, count});
      CHECK(part.whole == cells);
      CHECK(part.plan_hash == run::cut(plan_of(cells), Shard{1, 1}).plan_hash);
      REQUIRE(part.indices.size() == part.plan.cells.size());
      REQUIRE(part.plan.estimates.size() == part.plan.cells.size());
      for (std::size_t i = 0; i < part.indices.size(); ++i) {
        CHECK(indices.insert(part.indices[i]).second);
        CHECK(part.plan.cells[i].repeat == static_cast<int>(part.indices[i]));
        CHECK(part.plan.estimates[i].bytes == static_cast<double>(part.indices[i]));
        CHECK((i == 0 || part.indices[i] > part.indices[i - 1]));
      }
      CHECK(part.indices.size() > 0.6 * cells / count);
      CHECK(part.indices.size() < 1.4 * cells / count);
    }
    CHECK(indices.size() == cells);
  }
  // A larger study keeps its old cells where they were.
  const run::ShardPlan small = run::cut(plan_of(100), Shard{2, 7}), large = run::cut(plan_of(200), Shard{2, 7});
  REQUIRE(large.indices.size() >= small.indices.size());
  CHECK(std::equal(small.indices.begin(), small.indices.end(), large.indices.begin()));
  CHECK(small.plan_hash != large.plan_hash);
}

TEST_CASE("shards: repeats that share work are in one") {
  study::Plan plan = plan_of(300);
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    plan.cells[i].repeat = static_cast<int>(i % 3);
    plan.cells[i].shares_work = i >= 30;
  }
  std::map<std::size_t, std::set<int>> shards_of;  // by group
  for (int index = 1; index <= 4; ++index)
    for (const std::size_t i : run::cut(plan, Shard{index, 4}).indices) {
      shards_of[i / 3].insert(index);
      if (i < 30 || i % 3 == 0) CHECK(run::belongs({index, 4}, plan.cells[i].id));
    }
  REQUIRE(shards_of.size() == 100);
  std::set<int> all;
  for (const auto& [group, shards] : shards_of) {
    if (group >= 10) CHECK(shards.size() == 1);
    all.insert(shards.begin(), shards.end());
  }
  CHECK(all.size() == 4);
}

TEST_CASE("shards: without one a plan stays whole") {
  const run::ShardPlan part = run::cut(plan_of(3), std::nullopt);
  CHECK(part.plan.cells.size() == 3);
  CHECK(part.whole == 3);
}

TEST_CASE("shards: a plan with other skips is another plan") {
  study::Plan plan = plan_of(3);
  plan.cells[1].skip = "too long";
  CHECK(run::cut(plan, Shard{1, 2}).plan_hash != run::cut(plan_of(3), Shard{1, 2}).plan_hash);
}

TEST_CASE("shards: expectations are left to the merge") {
  const auto results = run::left_to_merge({{"uniqueness", "min_distance", {}, 1, 0.1, "", 0, 0}});
  REQUIRE(results.size() == 1);
  CHECK(results[0].verdict == data::Verdict::not_measured);
  CHECK(results[0].message.find("merge") != std::string::npos);
}
