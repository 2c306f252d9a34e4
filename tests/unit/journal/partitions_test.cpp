// SPDX-License-Identifier: Apache-2.0
// Which journals the arguments of `poslab status` mean.
#include "poslab/journal/partitions.hpp"

#include <string>
#include <vector>

#include "journals.hpp"

using namespace journals;
using journal::Partition;
using Names = std::vector<std::string>;

namespace {

void touch(const fs::path& path) { write_bytes(path, ""); }

std::vector<Partition> of(const Scratch& scratch, const Names& files) {
  Names paths;
  for (const std::string& file : files) paths.push_back((scratch / file).string());
  return journal::partitions_of(paths);
}

Names names(const Partition& partition) {
  Names all;
  for (const fs::path& path : partition.journals) all.push_back(path.filename().string());
  return all;
}

}  // namespace

TEST_CASE("partitions: a results file without any journal has one that does not exist") {
  const Scratch scratch;
  const auto all = of(scratch, {"a.h5"});
  REQUIRE(all.size() == 1);
  CHECK(all[0].shards == 0);
  CHECK(all[0].text() == "in one piece");
  CHECK(names(all[0]) == Names{"a.h5.journal"});
  CHECK(!fs::exists(all[0].journals[0]));
}

TEST_CASE("partitions: each number of shards is one partition, with the shards that have not begun") {
  const Scratch scratch;
  for (const char* name :
       {"a.h5.journal", "a.1-of-3.h5.journal", "a.3-of-3.h5.journal", "a.2-of-2.h5.journal", "a.4-of-3.h5.journal",
        "a.0-of-3.h5.journal", "a.01-of-3.h5.journal", "a.x-of-3.h5.journal", "b.2-of-3.h5.journal", "a.2-of-3.h5"})
    touch(scratch / name);
  const auto all = of(scratch, {"a.h5"});
  REQUIRE(all.size() == 3);
  CHECK(names(all[0]) == Names{"a.h5.journal"});
  CHECK(all[1].shards == 2);
  CHECK(all[1].missing == std::vector{1});
  CHECK(names(all[1]) == Names{"a.2-of-2.h5.journal"});
  CHECK(all[2].shards == 3);
  CHECK(all[2].text() == "in 3 shards");
  CHECK(all[2].missing == std::vector{2});
  CHECK(names(all[2]) == Names{"a.1-of-3.h5.journal", "a.3-of-3.h5.journal"});
}

TEST_CASE("partitions: a results file that was only begun in shards has no journal in one piece") {
  const Scratch scratch;
  touch(scratch / "a.1-of-2.h5.journal");
  const auto all = of(scratch, {"a.h5"});
  REQUIRE(all.size() == 1);
  CHECK(all[0].shards == 2);
}

TEST_CASE("partitions: a journal or a shard that is named is taken alone, and twice is once") {
  const Scratch scratch;
  for (const char* name : {"a.h5.journal", "a.1-of-3.h5.journal", "a.2-of-3.h5.journal"}) touch(scratch / name);
  const auto all = of(scratch, {"a.2-of-3.h5.journal", "a.2-of-3.h5", "a.h5.journal"});
  REQUIRE(all.size() == 2);
  CHECK(all[0].shards == 3);
  CHECK(all[0].missing.empty());
  CHECK(names(all[0]) == Names{"a.2-of-3.h5.journal"});
  CHECK(names(all[1]) == Names{"a.h5.journal"});
}

TEST_CASE("partitions: a study means its results file in the current directory") {
  const auto all = journal::partitions_of({"somewhere/no-such-study.toml"});
  REQUIRE(all.size() == 1);
  CHECK(all[0].journals == std::vector<fs::path>{"no-such-study.h5.journal"});
}

TEST_CASE("partitions: a file is one, from here and from the root") {
  const Scratch scratch;
  touch(scratch / "a.h5.journal");
  const fs::path from_here = fs::proximate(scratch / "a.h5");
  REQUIRE(from_here.is_relative());
  const auto all = journal::partitions_of({from_here.string(), (scratch / "a.h5").string(), scratch / "a.h5.journal"});
  REQUIRE(all.size() == 1);
  CHECK(all[0].journals.size() == 1);
}
