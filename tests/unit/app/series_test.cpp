// SPDX-License-Identifier: Apache-2.0
// The exit code of a command that runs several studies.
#include "catch.hpp"
#include "poslab/app/exit_code.hpp"

using namespace poslab;
using run::Ending;

TEST_CASE("series: the worst exit code counts, whatever comes after it") {
  app::Series series;
  series.add(Ending::complete, true, false);
  CHECK(series.exit == app::all_well);
  series.add(Ending::cells_failed, true, false);
  series.add(Ending::expectation_failed, true, false);
  CHECK(series.exit == app::cells_failed);
  CHECK(series.goes_on);
  series.add(Ending::complete, false, false);
  CHECK(series.exit == app::cells_failed);
}

TEST_CASE("series: a study that stops with cells left is the last") {
  for (const Ending ending : {Ending::not_written, Ending::stopped_at_failure, Ending::interrupted}) {
    app::Series series;
    series.add(ending, true, false);
    CHECK(series.exit == app::exit_code(ending));
    CHECK(!series.goes_on);
  }
}

TEST_CASE("series: --fail-fast after a failed cell leaves studies, which is not what 3 says") {
  app::Series series{true};
  series.add(Ending::expectation_failed, true, false);
  CHECK(series.goes_on);
  series.add(Ending::cells_failed, true, false);
  CHECK(series.exit == app::unfinished);
  CHECK(!series.goes_on);
  app::Series last{true};
  last.add(Ending::cells_failed, false, false);  // nothing is left
  CHECK(last.exit == app::cells_failed);
}

TEST_CASE("series: the end asked for between two studies interrupts, after the last it does not") {
  app::Series series;
  series.add(Ending::complete, true, true);
  CHECK(series.exit == app::interrupted);
  CHECK(!series.goes_on);
  app::Series last;
  last.add(Ending::complete, false, true);
  CHECK(last.exit == app::all_well);
}
