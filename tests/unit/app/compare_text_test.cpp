// SPDX-License-Identifier: Apache-2.0
// What `poslab compare` and `poslab merge` print.
#include "commands/texts.hpp"

#include "catch.hpp"

using namespace poslab;

namespace {

const app::ComparedFiles two_files{"a.h5", "b.h5", false}, exactly{"a.h5", "b.h5", true};

results::Comparison of_differences() {
  results::Comparison comparison;
  comparison.compared_cells = 4;
  comparison.values_of[{"uniqueness", "min_distance"}] = 12;
  comparison.differences = {
      {"uniqueness of rope length=8", "1 and 2", "uniqueness", "min_distance", "rope length=8", 1, 5},
      {"uniqueness of t5 length=8", "1 and 9", "uniqueness", "min_distance", "t5 length=8", 2, 50},
  };
  return comparison;
}

}  // namespace

TEST_CASE("compare: equal files are equal in the way that was asked for") {
  results::Comparison equal;
  equal.compared_cells = 3;
  CHECK(app::compare_text(equal, two_files, false) ==
        "3 cells compared, 0 only in a.h5, 0 only in b.h5, 0 differences: equal within tolerance\n");
  CHECK_THAT(app::compare_text(equal, exactly, false), ::check::contains(": equal bit for bit\n"));
}

TEST_CASE("compare: differences of one measure are one line, with the worst") {
  CHECK(app::compare_text(of_differences(), two_files, false) ==
        "uniqueness\n  min_distance: 3 of 12 values in 2 cells; worst: t5 length=8: 1 and 9\n"
        "4 cells compared, 0 only in a.h5, 0 only in b.h5, 2 differences: different\n");
  CHECK_THAT(app::compare_text(of_differences(), two_files, true),
             ::check::starts_with("uniqueness of rope length=8: 1 and 2\nuniqueness of t5 length=8: 1 and 9\n"));
}

TEST_CASE("compare: what became of the numbers from one version of a scheme to the other") {
  results::Comparison comparison;
  comparison.only_in_first = comparison.only_in_second = 4;
  comparison.reasons = {"rope has version 1.0 in the first file and 1.1 in the second: other numbers"};
  comparison.between_versions.push_back(of_differences());
  const std::string text = app::compare_text(comparison, two_files, false);
  CHECK_THAT(text, ::check::contains("from one version to the other, in 4 cells, alike but for these versions:\n"
                                     "uniqueness\n  min_distance: 3 of 12 values in 2 cells; worst: t5 length=8"));
  comparison.between_versions.front().differences.clear();
  CHECK_THAT(app::compare_text(comparison, two_files, false),
             ::check::contains("the numbers of 4 cells, alike but for these versions, are equal within tolerance\n"));
}

TEST_CASE("compare: of an exact one no more than a screen, and cells without a partner say why") {
  results::Comparison comparison;
  comparison.only_in_second = 2;
  comparison.reasons = {"other seeds"};
  for (int i = 0; i < 23; ++i) comparison.differences.push_back({"cell", "0 and 1"});
  const std::string text = app::compare_text(comparison, exactly, false);
  CHECK_THAT(text, ::check::contains("... and 3 more (--verbose shows them)\n"));
  CHECK_THAT(text, ::check::contains("no cell of one file is in the other:\n  other seeds\n"));
  CHECK_THAT(text, ::check::contains("2 only in b.h5, 23 differences: different\n"));
}

TEST_CASE("merge: builds and processors are named where there is more than one") {
  CHECK(app::mixture_text({{"abc"}, {"EPYC"}}).empty());
  CHECK(app::mixture_text({{"abc", "def"}, {"EPYC"}}) ==
        "poslab: these shards were made by builds of different commits: abc and def\n");
  CHECK_THAT(app::mixture_text({{}, {"EPYC", "Xeon"}}), ::check::contains("differ in last bits: EPYC and Xeon\n"));
}

TEST_CASE("merge: how to run a shard that is missing, by the command that ran another") {
  const auto advice = [](const std::string& command_line) {
    return app::shard_command({{2, 40}, "its study.toml", command_line});
  };
  CHECK(advice(R"(["poslab", "run", "s.toml", "--shard", "1/40", "-o", "a.h5"])") ==
        "poslab run s.toml --shard 2/40 -o a.h5");
  CHECK(advice(R"(["poslab", "run", "s.toml", "--fresh", "--shard=slurm/40", "--fail-fast"])") ==
        "poslab run s.toml --shard 2/40");
  CHECK(advice(R"(["poslab", "run", "s.toml"])") == "poslab run s.toml --shard 2/40");
  CHECK(advice(R"(["poslab", "run", "it's --shard 1/40", "--only", "x;y\n"])") ==
        R"(poslab run 'it'\''s --shard 1/40' --only $'x;y\012' --shard 2/40)");
  // A file may be anybody's: a command of something else is not repeated.
  for (const char* strange :
       {"poslab run s.toml", "", "[", "{}", "[]", R"(["rm", "-r", "/"])", R"(["poslab", "run", 3])", R"("poslab run")",
        R"(["poslab", "run"])", "[\"poslab\", \"run\", \"\xff\"]"})
    CHECK(advice(strange) == "poslab run 'its study.toml' --shard 2/40");
}

TEST_CASE("merge: a refusal names the file, what is wrong with it, and what would put it right") {
  using Kind = run::MergeProblem::Kind;
  const run::ShardToRun again{{2, 3}, "s.toml", ""};
  const std::string text = app::refusal_text({{Kind::unfinished, "a.h5", "is not finished", "", {}, {}, again},
                                              {Kind::damaged, "b.h5", "is damaged\x1b", "", {}, {}, again},
                                              {Kind::missing, "", "shards 2 and 3 are missing", "", {2, 3}, {}, again},
                                              {Kind::other_plugin, "c.h5", "is of another plugin"}});
  CHECK_THAT(text, ::check::contains("\n  a.h5: is not finished; finish it (poslab run s.toml --shard 2/3), or merge"));
  CHECK_THAT(text, ::check::contains("\n  b.h5: is damaged\\u001B; run that shard again (poslab run"));
  CHECK_THAT(text, ::check::contains("\n  shards 2 and 3 are missing; run them (poslab run"));
  CHECK_THAT(text, ::check::contains("\n  c.h5: is of another plugin, or accept both with --mixed-plugins"));
}
