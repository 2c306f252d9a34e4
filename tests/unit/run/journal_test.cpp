// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/journal.hpp"
#include "poslab/run/standing.hpp"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <mutex>

#include "catch.hpp"

using namespace poslab;
namespace fs = std::filesystem;

namespace {

class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "poslab-journal-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

base::Cell cell(int number) {
  base::Cell cell;
  cell.id = "cell-" + std::to_string(number);
  cell.experiment = "uniqueness";
  cell.variant.label = "rope";
  cell.repeat = number;
  return cell;
}

base::Outcome outcome(double value) {
  base::Outcome outcome;
  outcome.record.scalar("min_distance", value);
  outcome.seconds = 0.5;
  return outcome;
}

run::Origin from(const std::string& plugin_hash) { return {plugin_hash, "1.0", "2.0"}; }

double value_of(const base::Outcome& outcome) { return outcome.record.measurement("min_distance")->values.at(0); }

void execute(const fs::path& path, const std::string& text) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
}

}  // namespace

TEST_CASE("journal: what was added is known to the next run, with its numbers and its plugin") {
  const Scratch scratch;
  const fs::path path = run::Journal::beside(scratch / "a.h5");
  CHECK(path == scratch / "a.h5.journal");
  {
    run::Journal journal(path);
    CHECK(journal.known().empty());
    journal.add(0, cell(1), outcome(1.5), from("hash"));
    journal.add(1, cell(2), {base::Status::failed, "not enough memory", {}, 0}, from("hash"));
    CHECK(value_of(journal.outcome("cell-1")) == 1.5);
    CHECK_THROWS_AS(journal.outcome("cell-3"), base::Error);
  }
  run::Journal journal(path);
  REQUIRE(journal.known().size() == 2);
  CHECK(journal.known().at("cell-1").origin.plugin_hash == "hash");
  CHECK(journal.known().at("cell-2").status == base::Status::failed);
  CHECK(journal.outcome("cell-2").message == "not enough memory");
  journal.add(0, cell(2), outcome(7), from("other"));
  CHECK(value_of(journal.outcome("cell-2")) == 7);
}

TEST_CASE("journal: a cell counts as done only once it is on disk, and that is soon") {
  const Scratch scratch;
  std::mutex mutex;
  std::vector<std::size_t> done;
  const fs::path path = scratch / "a.journal";
  run::Journal journal(path);
  journal.report_to([&](const std::vector<std::size_t>& indices) {
    const std::lock_guard lock(mutex);
    done.insert(done.end(), indices.begin(), indices.end());
  });
  journal.add(4, cell(4), outcome(4), from(""));
  journal.add(2, cell(2), outcome(2), from(""));
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return done.size();
  };
  for (int i = 0; i < 1000 && count() < 2; ++i) usleep(10'000);
  CHECK(done == std::vector<std::size_t>{4, 2});
}

TEST_CASE("journal: a process that is killed loses nothing that was committed") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    run::Journal journal(path);
    journal.report_to([&](const auto&) { static_cast<void>(!write(ready[1], "x", 1)); });
    for (int i = 0;; ++i) journal.add(0, cell(i), outcome(i), from("")), usleep(1000);
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  run::Journal journal(path);
  CHECK(journal.notices().empty());
  REQUIRE(!journal.known().empty());
  for (const auto& [id, known] : journal.known())
    CHECK("cell-" + std::to_string(int(value_of(journal.outcome(id)))) == id);
}

TEST_CASE("journal: another process may look at it while it is written") {
  const Scratch scratch;
  run::Journal journal(scratch / "a.journal");
  journal.add(0, cell(1), outcome(1), from("hash"));
  journal.commit();
  CHECK(run::Journal::read(scratch / "a.journal").known.at("cell-1").origin.plugin_hash == "hash");
  CHECK(run::Journal::read(scratch / "none").known.empty());
}

TEST_CASE("journal: two runs of one file: the second is told who holds it") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  const run::Journal journal(path);
  CHECK_THROWS_AS(run::Journal(path), run::JournalHeld);
  CHECK_THROWS_WITH(run::Journal(path), Catch::Matchers::Contains("process " + std::to_string(getpid()) + " on "));
}

TEST_CASE("journal: a changed record is noticed and runs again, the others stay") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  {
    run::Journal journal(path);
    for (int i = 0; i < 5; ++i) journal.add(0, cell(i), outcome(i), from(""));
  }
  execute(
      path,
      "UPDATE cells SET outcome = CAST(substr(outcome, 1, length(outcome) - 1) || x'07' AS BLOB) WHERE id = 'cell-3'");
  run::Journal journal(path);
  CHECK(journal.known().size() == 4);
  CHECK(journal.known().count("cell-3") == 0);
  REQUIRE(journal.notices().size() == 1);
  CHECK_THAT(journal.notices()[0], Catch::Matchers::Contains("1 of the journal's 5 cells"));
}

TEST_CASE("journal: a corrupt database is kept aside and said so") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  std::ofstream(path) << std::string(10000, 'x');
  run::Journal journal(path);
  CHECK(journal.known().empty());
  REQUIRE(journal.notices().size() == 1);
  CHECK_THAT(journal.notices()[0], Catch::Matchers::Contains(path.string() + ".corrupt"));
  CHECK(fs::file_size(path.string() + ".corrupt") == 10000);
}

TEST_CASE("journal: another's database and a newer format are refused by name") {
  const Scratch scratch;
  execute(scratch / "foreign", "CREATE TABLE t(x)");
  CHECK_THROWS_AS(run::Journal(scratch / "foreign"), run::JournalForeign);
  { run::Journal journal(scratch / "newer"); }
  execute(scratch / "newer", "PRAGMA user_version = 3");
  CHECK_THROWS_WITH(run::Journal(scratch / "newer"), Catch::Matchers::Contains("journal format 3"));
}
