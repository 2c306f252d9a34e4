// SPDX-License-Identifier: Apache-2.0
// What sbatch is called with.
#include "poslab/slurm/sbatch.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

slurm::Submission submission() {
  slurm::Submission it;
  it.poslab = "/bin/poslab";
  it.source = "/disk/s.toml";
  it.output = "/disk/a.h5";
  it.logs = "/disk/a.h5.slurm";
  it.study = "/disk/a.h5.slurm/s.toml";
  it.tasks = 7;
  return it;
}

using Words = std::vector<std::string>;

std::ptrdiff_t index(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) - words.begin();
}

bool has(const Words& words, const std::string& word) { return index(words, word) < std::ssize(words); }

}  // namespace

TEST_CASE("sbatch: what a submission says becomes words") {
  slurm::Submission full = submission();
  full.cpus = 3;
  full.at_once = 5;
  full.time = "2:00:00";
  full.partition = "long";
  full.memory = 0x1p32 + 1;
  const Words tasks = slurm::task_array(full).words, merge = slurm::merge_job(full).words;
  for (const char* word : {"--array=1-7%5", "--cpus-per-task=3", "--signal=B:USR1@120",
                           "--output=/disk/a.h5.slurm/%a-of-7.log", "--job-name=a"})
    CHECK(has(tasks, word));
  for (const char* word : {"--output=/disk/a.h5.slurm/merge.log", "--job-name=a-merge"}) CHECK(has(merge, word));
  for (const char* word : {"--parsable", "--requeue", "--open-mode=append", "--time=2:00:00", "--partition=long",
                           "--mem=4097M", "--chdir=/disk/a.h5.slurm"}) {
    CHECK(has(tasks, word));
    CHECK(has(merge, word));
  }
  CHECK(std::none_of(merge.begin(), merge.end(), [](const auto& word) { return word.starts_with("--array"); }));
  const Words plain = slurm::task_array(submission()).words;
  CHECK(has(plain, "--array=1-7"));
  for (const char* absent : {"--time", "--mem", "--partition"})
    CHECK(std::none_of(plain.begin(), plain.end(), [&](const auto& word) { return word.starts_with(absent); }));
}

TEST_CASE("sbatch: the user's options come after the name of the job and before all others of ours") {
  slurm::Submission with = submission();
  with.sbatch_options = {"--account=a b", "--job-name=mine", "-Czen4"};
  for (const Words& words : {slurm::task_array(with).words, slurm::merge_job(with).words}) {
    REQUIRE(words[0] == "sbatch");
    CHECK(words[1].starts_with("--job-name=a"));
    CHECK(Words(words.begin() + 2, words.begin() + 5) == with.sbatch_options);
    CHECK(words[5] == "--nodes=1");  // an option that lacks its value takes it, and nothing is lost
    for (const char* ours : {"--parsable", "--requeue"}) CHECK(index(words, ours) > 5);
  }
}

TEST_CASE("sbatch: a name that Slurm would not print as it is") {
  slurm::Submission odd = submission();
  odd.output = "/disk/50% of\nit.h5";
  odd.logs = "/disk/50% of\nit.h5.slurm";
  const Words words = slurm::task_array(odd).words;
  CHECK(has(words, "--job-name=50__of_it"));
  CHECK(has(words, "--output=/disk/50%% of\nit.h5.slurm/%a-of-7.log"));
  odd.logs = "/disk/back\\slash";
  {
    const poslab::base::Error error = check::thrown([&] { slurm::task_array(odd); });
    CHECK(error.kind == check::Kind::request);
    CHECK_THAT(error.what(), check::contains(odd.logs));
  }
}

TEST_CASE("sbatch: options of ours are refused by their exact names") {
  for (const char* ours : {"--array=3",
                           "--array",
                           "-a3",
                           "-a",
                           "--output=x",
                           "-ox",
                           "--error=x",
                           "-e",
                           "--input=x",
                           "-i",
                           "--chdir=/",
                           "-D/",
                           "--time=9",
                           "-t9",
                           "--signal=TERM@5",
                           "--no-requeue",
                           "--requeue",
                           "--wrap=true",
                           "--wait",
                           "-W",
                           "--parsable",
                           "--quiet",
                           "-Q",
                           "--open-mode=truncate",
                           "--cpus-per-task=2",
                           "-c2",
                           "--nodes=2",
                           "-N2",
                           "--ntasks=2",
                           "-n2"}) {
    const poslab::base::Error error = check::thrown([&] { slurm::require_foreign({"--account=lab", ours}); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains(ours));
    CHECK_THAT(error.what(), check::contains("poslab sets it itself"));
  }
  CHECK_NOTHROW(slurm::require_foreign({"--account=lab", "-Alab", "-plong", "-Czen4", "-H", "--exclusive",
                                        "--time-min=1", "--mem=4G", "--wait-all-nodes=1", "--dependency=afterok:7",
                                        "-J mine", "--comment=--array=3", "--ntasks-per-core=1"}));
}

TEST_CASE("sbatch: a word that it would take for a script is refused") {
  for (const char* word : {"script.sh", "-", "--", "", "lab"})
    CHECK_THROWS_WITH(slurm::require_foreign({"--hold", word}), check::contains("it is no option"));
}
