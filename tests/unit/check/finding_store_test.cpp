// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/plugin_checks.hpp"

#include "catch.hpp"
#include "scratch.hpp"

namespace checks = poslab::check;
using checks::FindingStore;

TEST_CASE("findings are found again, by the code that was checked and the program that checked it") {
  const check::Scratch scratch;
  const FindingStore store(scratch.path / "not" / "there" / "yet", "poslab 1");
  CHECK(!store.find("ab"));
  REQUIRE(store.keep("ab", {"bounds", "order"}));
  REQUIRE(store.keep("cd libtables.so=ef", {}));
  CHECK(store.find("ab") == std::vector<std::string>{"bounds", "order"});
  CHECK(store.find("cd libtables.so=ef")->empty());
  CHECK(!store.find("cd"));
  CHECK(!FindingStore(scratch.path / "not" / "there" / "yet", "poslab 2").find("ab"));
  REQUIRE(store.keep("ab", {}));
  CHECK(store.find("ab")->empty());
}

TEST_CASE("failed checks are those that failed, not what was left out") {
  using checks::CheckResult;
  const std::vector<std::string> failed = checks::failed_checks(
      {{"symbols", CheckResult::passed}, {"order", CheckResult::failed}, {"unique", CheckResult::not_performed}});
  CHECK(failed == std::vector<std::string>{"order"});
}

TEST_CASE("where nothing can be kept, nothing is known") {
  const FindingStore store({}, "poslab 1");
  CHECK(!store.keep("ab", {}));
  CHECK(!store.find("ab"));
}
