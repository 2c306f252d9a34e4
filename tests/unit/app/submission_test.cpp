// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab submit`.
#include "commands/submit.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "commands/run.hpp"
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
