// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/outcome_summary.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "poslab/run/merge_shards.hpp"
#include "poslab/run/provenance.hpp"
#include "poslab/run/runnable.hpp"
#include "thrown.hpp"

using namespace poslab;

TEST_CASE("how a run ends: failed cells before failed expectations, which shards do not judge") {
  run::OutcomeSummaries outcomes(2, run::OutcomeSummary{});
  outcomes[1]->status = data::Status::skipped;
  data::ExpectationResult fails;
  fails.verdict = data::Verdict::fails;
  CHECK(run::ending_of(outcomes, {}, false) == run::Ending::complete);
  CHECK(run::ending_of(outcomes, {fails}, false) == run::Ending::expectation_failed);
  CHECK(run::ending_of(outcomes, {fails}, true) == run::Ending::complete);
  outcomes[1]->status = data::Status::timeout;
  CHECK(run::ending_of(outcomes, {fails}, false) == run::Ending::cells_failed);
}

TEST_CASE("a command line is kept as a list of words") {
  CHECK(run::command_line_text("run", {"a b.toml", "it's"}) == R"(["poslab","run","a b.toml","it's"])");
  CHECK(run::command_line_text("run", {"\xff.toml"}) == "[\"poslab\",\"run\",\"\xEF\xBF\xBD.toml\"]");
}

TEST_CASE("processors of shards, from texts that anybody may have written") {
  const auto processors = [](const std::string& machines) {
    return run::mixture_of({{"a.h5", {1, 1}, {{"machines", machines}, {"git_commit", "abc"}}}}).processors;
  };
  CHECK(processors(R"([{"processor": "Abacus \"9\""}, {"processor": "X"}, {"processor": "X"}])") ==
        std::set<std::string>{"Abacus \"9\"", "X"});
  for (const char* other : {"", "[", "{}", "7", R"([7, {"processor": 7}, {}])", "[[[[["})
    CHECK(processors(other).empty());
}

TEST_CASE("builds of shards are added up, from texts that anybody may have written") {
  const auto builds = [](const std::vector<std::string>& texts) {
    std::vector<results::Merge::Source> sources;
    for (const std::string& text : texts) {
      results::Merge::Source& source = sources.emplace_back(results::Merge::Source{"a.h5", {1, 1}, {}});
      if (text != "none") source.provenance["builds"] = text;
    }
    for (const auto& [name, text] : run::merge_provenance(sources, {}, {}).texts)
      if (name == "builds") return text;
    return std::string("none");
  };
  const std::string one = R"([{"poslab":"0.1","git_commit":"abc","cells":2,"variants":["none","rope"]}])",
                    other = R"([{"poslab":"0.1","git_commit":"abc","cells":1,"variants":["t5"]},)"
                            R"({"poslab":"0.1","git_commit":"def","cells":3,"variants":["rope"]}])";
  CHECK(builds({one}) == one);
  CHECK(builds({one, other}) == R"([{"poslab":"0.1","git_commit":"abc","cells":3,"variants":["none","rope","t5"]},)"
                                R"({"poslab":"0.1","git_commit":"def","cells":3,"variants":["rope"]}])");
  CHECK(builds({one, "none"}) == "none");
  for (const char* text : {"", "[", "{}", "7", "[7, []]"}) CHECK(builds({text}) == "[]");
  CHECK(builds({R"([{"cells": -1, "variants": [7, "t5"], "poslab": 7}])"}) ==
        R"([{"poslab":"","git_commit":"","cells":0,"variants":["t5"]}])");
  CHECK(run::mixture_of({{"a.h5", {1, 1}, {{"git_commit", "abc"}, {"builds", other}}}}).commits ==
        std::set<std::string>{"abc", "def"});
}

TEST_CASE("a cell that needs more memory than there is names itself, its need and the limit") {
  study::Plan plan;
  for (const double bytes : {1e6, 3e6, 2e6}) {
    plan.cells.emplace_back().experiment = fmt::format("of {}", bytes);
    plan.estimates.push_back({bytes, 0});
  }
  const std::vector<std::size_t> all{0, 1, 2}, others{0, 2};
  CHECK_NOTHROW(run::require_memory(plan, all, 3e6));
  CHECK(run::largest_above(plan, all, 1.5e6) == 1);
  CHECK(run::largest_above(plan, others, 1.5e6) == 2);
  {
    const poslab::base::Error error = check::thrown([&] { run::require_memory(plan, all, 1.5e6); });
    CHECK(error.kind == check::Kind::request);
    CHECK_THAT(error.what(), check::contains(plan.cells[1].experiment));
  }
}
