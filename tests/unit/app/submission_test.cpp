// SPDX-License-Identifier: Apache-2.0
// The command line of `poslab submit`.
#include "poslab/app/arguments/submission.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace poslab;

namespace {

using Words = std::vector<std::string>;

slurm::Submission submission_of(const Words& words) {
  app::Options options("submit");
  app::add_submission_options(options);
  return app::submission_of(options.parse(words), "studies/s.toml");
}

}  // namespace

TEST_CASE("submission: what follows the first -- is taken away") {
  Words words{"s.toml", "--tasks", "2", "--", "--array=3", "--", "x"};
  CHECK(app::take_sbatch_options(words) == Words{"--array=3", "--", "x"});
  CHECK(words == Words{"s.toml", "--tasks", "2"});
  CHECK(app::take_sbatch_options(words).empty());
  CHECK(words.size() == 3);
  Words none{"s.toml", "--"};
  CHECK(app::take_sbatch_options(none).empty());
  CHECK(none == Words{"s.toml"});
}

TEST_CASE("submission: paths are absolute, and options of run are handed on") {
  const slurm::Submission plain = submission_of({"s.toml", "--tasks", "2"});
  CHECK(plain.source.front() == '/');
  CHECK(plain.source.ends_with("/studies/s.toml"));
  CHECK(plain.output.ends_with("/s.h5"));
  CHECK(plain.logs == plain.output + ".slurm");
  CHECK(plain.study == plain.logs + "/s.toml");
  CHECK(plain.run_options.empty());
  const slurm::Submission full =
      submission_of({"s.toml", "--tasks=2", "--cpus=4", "--workers=3", "--cell-time=90.5", "-o", "/disk/x/../a.h5",
                     "--plugins=/p", "--axis=length=8,16", "--only=rope", "--memory=4GiB"});
  CHECK(full.output == "/disk/a.h5");
  CHECK(full.run_options ==
        Words{"--plugins", "/p", "--workers=3", "--cell-time=90.5", "--axis=length=8,16", "--only=rope"});
  CHECK(full.memory == 0x1p32);
}

TEST_CASE("submission: numbers out of range are refused") {
  for (const Words& wrong :
       {Words{"s.toml"}, Words{"s.toml", "--tasks=0"}, Words{"s.toml", "--tasks=10001"},
        Words{"s.toml", "--tasks=2", "--workers=2"}, Words{"s.toml", "--tasks=2", "--cpus=0"},
        Words{"s.toml", "--tasks=2", "--cell-time=0"}, Words{"s.toml", "--tasks=2", "--restarts=-1"}})
    CHECK_THROWS_AS(submission_of(wrong), app::UsageError);
  CHECK_THROWS_AS(submission_of({"s.toml", "--tasks=2", "--time=soon"}), slurm::BadTime);
}
