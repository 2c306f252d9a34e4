// SPDX-License-Identifier: Apache-2.0
// What `poslab run` says around its table.
#include "commands/run.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

run::PreparedRun narrow_run() {
  run::PreparedRun run{};
  run.request.study = "mine.toml";
  run.output = "mine.h5";
  run.journal = "mine.h5.journal";
  run.part.plan.cells.resize(3);
  return run;
}

}  // namespace

TEST_CASE("run: a run that could not write says why, and that it can go on") {
  run::RunResult result;
  CHECK(app::problem_text(narrow_run(), result).empty());
  result.ending = run::Ending::not_written;
  result.problem = "mine.h5: the disk is full";
  CHECK(app::problem_text(narrow_run(), result) ==
        "poslab: mine.h5: the disk is full\nposlab: the run stops here; the same command goes on from there (poslab "
        "status mine.h5.journal says how far it is)\n");
  CHECK(app::result_text(narrow_run(), result, {}, {}).empty());
}

TEST_CASE("run: one that stopped at a failure counts what is left") {
  run::RunResult result;
  result.ending = run::Ending::stopped_at_failure;
  result.outcomes.resize(3);
  result.outcomes[0] = run::OutcomeSummary{};
  CHECK_THAT(app::problem_text(narrow_run(), result), ::check::contains("with 2 of 3 left"));
}

TEST_CASE("run: what goes on is not what begins anew") {
  run::PreparedRun run = narrow_run();
  run.request.fresh = true;
  run.journal = "-my run.h5.journal";
  run::RunResult result;
  result.ending = run::Ending::not_written;
  CHECK_THAT(app::problem_text(run, result),
             ::check::contains("the same command without --fresh goes on from there (poslab status './-my "
                               "run.h5.journal' says"));
  result.ending = run::Ending::stopped_at_failure;
  CHECK_THAT(app::problem_text(run, result), ::check::contains("without --fresh and --fail-fast goes on"));
}

TEST_CASE("run: the command for a quarantined plugin has what the run was given") {
  run::PreparedRun run = narrow_run();
  run.request.study = "-mine.toml";
  run.request.beside = "others.h5";
  run.part.plan.cells.clear();
  run::RunResult result;
  result.quarantined = {{"toy", "toy.so", "0123"}};
  CHECK_THAT(app::result_text(run, result, {"own"}, {}).plain(),
             ::check::contains("poslab run ./-mine.toml --only toy --in-process --plugins own --beside others.h5 -o "
                               "toy-alone.h5"));
}

TEST_CASE("run: a narrower run says what becomes of the other cells") {
  run::PreparedRun run = narrow_run();
  CHECK_THAT(app::narrowing_text(run, 8),
             ::check::contains("mine.h5 has the results of 8 cells, and this run leaves 3"));
  CHECK_THAT(app::narrowing_text(run, 8), ::check::contains("the journal has them"));
  run.request.fresh = true;
  CHECK_THAT(app::narrowing_text(run, 8), ::check::contains("--fresh forgets the others"));
}

TEST_CASE("run: plugins that nobody has checked are named") {
  CHECK(app::unchecked_text({}).empty());
  CHECK_THAT(app::unchecked_text({"rope", "t5"}), ::check::contains("never checked in this build: rope and t5;"));
}
