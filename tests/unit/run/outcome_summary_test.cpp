// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/outcome_summary.hpp"

#include <fmt/format.h>

#include "catch.hpp"
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
