// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab submit`.
#include "commands/submit.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "commands/run.hpp"
#include "poslab/slurm/scripts.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

using Names = std::vector<std::string>;

slurm::Submission submission_of(const Names& words) {
  app::SubmitOptions options;
  const bool is_read = options.parse(words);  // before the assertion, since it may throw what a test waits for
  REQUIRE(is_read);
  return options.submission();
}

}  // namespace

TEST_CASE("submission: what follows the first -- is for sbatch") {
  CHECK(submission_of({"s.toml", "--tasks", "2", "--", "--array=3", "--", "x"}).sbatch_options ==
        Names{"--array=3", "--", "x"});
  CHECK(submission_of({"s.toml", "--tasks", "2"}).sbatch_options.empty());
  CHECK(submission_of({"s.toml", "--tasks", "2", "--"}).sbatch_options.empty());
}

TEST_CASE("submission: paths are absolute") {
  const slurm::Submission plain = submission_of({"studies/s.toml", "--tasks", "2"});
  CHECK(plain.source.front() == '/');
  CHECK(plain.source.ends_with("/studies/s.toml"));
  CHECK(plain.output.ends_with("/s.h5"));
  CHECK(plain.logs == plain.output + ".slurm");
  CHECK(plain.study == plain.logs + "/s.toml");
  CHECK(plain.run_options.empty());
}

TEST_CASE("submission: options of run are handed on, and mean there what they mean here") {
  const slurm::Submission full =
      submission_of({"s.toml", "--tasks=2", "--cpus=4", "--workers=3", "--cell-time=90.5", "-o", "/disk/x/../a.h5",
                     "--plugins=/p", "--axis=length=8,16", "--only=rope", "--memory=4GiB", "--data=text=/a/../b"});
  CHECK(full.output == "/disk/a.h5");
  CHECK(full.memory == 0x1p32);
  CHECK(full.run_options == Names{"--only=rope", "--axis=length=8,16", "--plugins=/p", "--data=text=/b", "--workers=3",
                                  "--cell-time=90.5"});
  const auto of_run = app::run_options();
  Names words = full.run_options;
  words.emplace_back("s.toml");
  REQUIRE(of_run->parse(words));
  const run::RunRequest request = app::run_request(*of_run);
  CHECK(request.workers == 3);
  CHECK(request.overrides.only == Names{"rope"});
  CHECK(request.supply.files.front().second == "/b");
  CHECK(app::plugin_directories(*of_run) == Names{"/p"});
}

TEST_CASE("submission: numbers out of range are refused") {
  for (const Names& wrong :
       {Names{"s.toml"}, Names{"s.toml", "--tasks=0"}, Names{"s.toml", "--tasks=10001"},
        Names{"s.toml", "--tasks=2", "--workers=2"}, Names{"s.toml", "--tasks=2", "--cpus=0"},
        Names{"s.toml", "--tasks=2", "--cell-time=0"}, Names{"s.toml", "--tasks=2", "--restarts=-1"}})
    CHECK_THROWS_AS(submission_of(wrong), app::UsageError);
  CHECK(check::thrown([&] {
          static_cast<void>(submission_of({"s.toml", "--tasks=2", "--time=soon"}));
        }).kind == check::Kind::argument);
}

TEST_CASE("submission: what every task would refuse of the output is refused, and a study that no job finds") {
  for (const Names& wrong : {Names{"s.toml", "--tasks=2", "-o", ""}, Names{"s.toml", "--tasks=2", "-o", "a.h5.journal"},
                             Names{"/dev/stdin", "--tasks=2"}, Names{"/dev/fd/63", "--tasks=2", "-o", "a.h5"}})
    CHECK_THROWS_AS(submission_of(wrong), app::UsageError);
}

TEST_CASE("submission: a Python file is named to the tasks by its whole path, and a value of an axis as it is") {
  const Names handed = submission_of({"s.toml", "--tasks=2", "--only=mine.py", "--only=task=copy"}).run_options;
  REQUIRE(handed.size() == 2);
  CHECK(handed[0].starts_with("--only=/"));
  CHECK(handed[0].ends_with("/mine.py"));
  CHECK(handed[1] == "--only=task=copy");
}

TEST_CASE("submission: the copy of an earlier one is its own copy") {
  const check::Scratch scratch;
  const std::string output = scratch / "a.h5", copy = output + ".slurm/s.toml";
  std::filesystem::create_directory(output + ".slurm");
  std::ofstream(copy) << "[[scheme]]\nuse = \"mine.py\"\n";
  const slurm::Submission again = submission_of({copy, "--tasks=2", "-o", output});
  CHECK(again.source == copy);
  CHECK(again.study == copy);
  CHECK(again.links.empty());  // else the link beside it would lead to itself
  CHECK_THAT(slurm::submit_script(again), check::contains("\ntouch -- " + copy + "\n"));
  const slurm::Submission elsewhere = submission_of({copy, "--tasks=2", "-o", scratch / "b.h5"});
  CHECK(elsewhere.links.size() == 1);
  CHECK_THAT(slurm::submit_script(elsewhere), check::contains("\ncp -- " + copy + " "));
}
