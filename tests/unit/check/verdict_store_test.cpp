// SPDX-License-Identifier: Apache-2.0
#include "poslab/check/verdict_store.hpp"

#include "catch.hpp"
#include "scratch.hpp"

namespace checks = poslab::check;
using checks::VerdictStore;

TEST_CASE("verdicts are found again, by the code that was checked and the program that checked it") {
  const check::Scratch scratch;
  const VerdictStore store(scratch.path / "not" / "there" / "yet", "poslab 1");
  CHECK(!store.find("ab"));
  REQUIRE(store.keep("ab", {{"bounds", "order"}}));
  REQUIRE(store.keep("cd libtables.so=ef", {}));
  CHECK(store.find("ab")->text() == "failed: bounds and order");
  CHECK(store.find("cd libtables.so=ef")->text() == "passed");
  CHECK(!store.find("cd"));
  CHECK(!VerdictStore(scratch.path / "not" / "there" / "yet", "poslab 2").find("ab"));
  REQUIRE(store.keep("ab", {}));
  CHECK(store.find("ab")->failed.empty());
}

TEST_CASE("a verdict is what failed, not what was left out") {
  using checks::Verdict;
  const checks::PluginVerdict verdict = checks::verdict_of(
      {{"symbols", Verdict::passed}, {"order", Verdict::failed}, {"unique", Verdict::not_performed}});
  CHECK(verdict.failed == std::vector<std::string>{"order"});
}

TEST_CASE("where nothing can be kept, nothing is known") {
  const VerdictStore store({}, "poslab 1");
  CHECK(!store.keep("ab", {}));
  CHECK(!store.find("ab"));
}
