// SPDX-License-Identifier: Apache-2.0
// Times of Slurm, and the names of the shards.
#include "poslab/slurm/submission.hpp"

#include <fmt/format.h>

#include "catch.hpp"
#include "thrown.hpp"

using namespace poslab;

TEST_CASE("submission: times as Slurm writes them") {
  CHECK(slurm::seconds_of("90") == 90 * 60);
  CHECK(slurm::seconds_of("1:30") == 90);
  CHECK(slurm::seconds_of("2:00:01") == 7201);
  CHECK(slurm::seconds_of("1-12") == 36 * 3600);
  CHECK(slurm::seconds_of("1-12:30") == 36 * 3600 + 1800);
  CHECK(slurm::seconds_of("0-0:0:5") == 5);
  for (const char* wrong : {"", "soon", "-1", "1:2:3:4", "0", "0:00", "1.5", "1-", "99999999999999999999"}) {
    const poslab::base::Error error = check::thrown([&] { slurm::seconds_of(wrong); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains(fmt::format("\"{}\"", wrong)));
  }
}

TEST_CASE("submission: a task hears of its end after three quarters of its time, or two minutes before") {
  slurm::Submission submission;
  CHECK(slurm::warning_seconds(submission) == 120);
  for (const auto& [time, seconds] : {std::pair{"1", 15}, {"0:30", 7}, {"0:02", 1}, {"8", 120}, {"1-0", 120}}) {
    submission.time = time;
    CHECK(slurm::warning_seconds(submission) == seconds);
  }
}

TEST_CASE("submission: the shards as one word of bash") {
  slurm::Submission submission;
  submission.tasks = 40;
  submission.output = "/disk/a.h5";
  CHECK(slurm::shard_files(submission) == "/disk/a.{1..40}-of-40.h5.journal");
  submission.output = "/my disk/it's";
  CHECK(slurm::shard_files(submission) == "'/my disk/it'\\''s'.{1..40}-of-40.journal");
}
