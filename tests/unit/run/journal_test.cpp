// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/journal.hpp"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>

#include "catch.hpp"
#include "poslab/run/journal_status.hpp"
#include "poslab/run/standing.hpp"

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

void fill(const fs::path& path, int cells) {
  run::Journal journal(path);
  for (int i = 0; i < cells; ++i) journal.add(0, cell(i), outcome(i), from("hash"));
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Whatever happened to a journal of `cells` cells: what it still says is right, and what it lacks is said.
void check_right_or_said(const fs::path& path, std::size_t cells, bool and_add) {
  run::Journal journal(path);
  CHECK(journal.known().size() <= cells);
  if (journal.known().size() < cells) CHECK(!journal.notices().empty());
  for (const auto& [id, known] : journal.known()) {
    CHECK("cell-" + std::to_string(int(value_of(journal.outcome(id)))) == id);
    CHECK(known.origin.plugin_hash == "hash");
    CHECK(known.status == base::Status::ok);
  }
  if (!and_add) return;
  journal.add(0, cell(0), outcome(0), from("hash"));
  journal.commit();
  CHECK(value_of(journal.outcome("cell-0")) == 0);
}

// Runs `what` in a child that is killed once it has said that it is ready.
template <class What>
void in_killed_child(const What& what) {
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    what([&] { static_cast<void>(!write(ready[1], "x", 1)); });
    pause();
  }
  close(ready[1]);
  char byte = 0;
  CHECK(read(ready[0], &byte, 1) == 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
}

void execute(
    const fs::path& path, const std::string& text, const std::function<void()>& before_closing = [] {}) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  before_closing();
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

TEST_CASE("journal: a process that is killed loses nothing that was committed, and its lock is free") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  in_killed_child([&](const auto& ready) {
    run::Journal journal(path);
    journal.report_to([&](const auto&) { ready(); });
    for (int i = 0;; ++i) journal.add(0, cell(i), outcome(i), from("hash")), usleep(1000);
  });
  CHECK(fs::exists(path.string() + "-lock"));
  CHECK(run::status_of_journal(path).writer.empty());
  run::Journal journal(path);
  CHECK(journal.notices().empty());
  REQUIRE(!journal.known().empty());
  for (const auto& [id, known] : journal.known())
    CHECK("cell-" + std::to_string(int(value_of(journal.outcome(id)))) == id);
}

TEST_CASE("journal: what a killed process left half written is taken back, for those who only look, too") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 300);
  in_killed_child([&](const auto& ready) {
    execute(path, "PRAGMA cache_size = 1; BEGIN; UPDATE cells SET message = 'half', outcome = zeroblob(9000)",
            [&] { ready(), pause(); });
  });
  REQUIRE(fs::file_size(path.string() + "-journal") > 0);
  const bool looks_first = GENERATE(true, false);
  if (looks_first) {
    CHECK(run::Journal::read(path).known.size() == 300);
    CHECK(!run::Journal::read(path).known.at("cell-7").damaged);
  }
  check_right_or_said(path, 300, true);
  CHECK(run::Journal(path).known().size() == 300);
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
  CHECK_THROWS_WITH(run::Journal(path), check::contains("process " + std::to_string(getpid()) + " on "));
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
  CHECK_THAT(journal.notices()[0], check::contains("1 of the journal's 5 cells"));
}

TEST_CASE("journal: a corrupt database is kept aside and said so") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  std::ofstream(path) << std::string(10000, 'x');
  run::Journal journal(path);
  CHECK(journal.known().empty());
  REQUIRE(journal.notices().size() == 1);
  CHECK_THAT(journal.notices()[0], check::contains(path.string() + ".corrupt"));
  CHECK(fs::file_size(path.string() + ".corrupt") == 10000);
}

TEST_CASE("journal: another's database and other formats are refused by name") {
  const Scratch scratch;
  execute(scratch / "foreign", "CREATE TABLE t(x)");
  CHECK_THROWS_AS(run::Journal(scratch / "foreign"), run::JournalForeign);
  CHECK_THROWS_AS(run::Journal(scratch / "foreign", run::Journal::Start::fresh), run::JournalForeign);
  CHECK(fs::exists(scratch / "foreign"));
  const std::string format = GENERATE("1", "3");
  { run::Journal journal(scratch / "other"); }
  execute(scratch / "other", "PRAGMA user_version = " + format);
  CHECK_THROWS_WITH(run::Journal(scratch / "other"), check::contains("journal format " + format));
  CHECK_THROWS_WITH(run::Journal::read(scratch / "other"), check::contains("--fresh"));
  CHECK_THROWS_AS(run::status_of_journal(scratch / "other"), run::JournalForeign);
  CHECK(run::Journal(scratch / "other", run::Journal::Start::fresh).known().empty());
}

TEST_CASE("journal: a fresh start removes what is there, but nothing that somebody holds") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  {
    const run::Journal held(path);
    CHECK_THROWS_AS(run::Journal(path, run::Journal::Start::fresh), run::JournalHeld);
    CHECK(run::Journal::read(path).known.size() == 3);
  }
  write_bytes(path.string() + "-journal", "left behind");
  CHECK(run::Journal(path, run::Journal::Start::fresh).known().empty());
  CHECK(run::Journal(path).known().empty());
}

TEST_CASE("journal: cut short anywhere, it says nothing that is wrong") {
  const Scratch scratch;
  fill(scratch / "whole", 100);
  const std::string whole = bytes_of(scratch / "whole");
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 3) {
    CAPTURE(size);
    const fs::path path = scratch / ("cut-" + std::to_string(size));
    write_bytes(path, whole.substr(0, size));
    check_right_or_said(path, 100, true);
  }
}

TEST_CASE("journal: with a flipped bit anywhere, it says nothing that is wrong") {
  const Scratch scratch;
  fill(scratch / "whole", 40);
  const std::string whole = bytes_of(scratch / "whole");
  const fs::path path = scratch / "flipped";
  for (std::size_t i = 0; i < 150; ++i) {
    const std::size_t place = i < 100 ? i : (i * 7919 * 31) % whole.size();
    CAPTURE(place, i % 8);
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << i % 8));
    write_bytes(path, bytes);
    try {
      check_right_or_said(path, 40, i % 10 == 0);
    } catch (const run::JournalForeign&) {  // the mark of a journal, or its version, was hit
      CHECK(((place >= 60 && place < 64) || (place >= 68 && place < 72)));
    }
  }
}

TEST_CASE("journal: when the disk takes no more, what was reported done stays") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  int done[2];
  REQUIRE(pipe(done) == 0);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    run::Journal journal(path);
    journal.report_to([&](const std::vector<std::size_t>& all) {
      for (const std::size_t i : all) static_cast<void>(!write(done[1], &i, sizeof i));
    });
    try {
      for (int i = 0;; ++i) journal.add(static_cast<std::size_t>(i), cell(i), outcome(i), from("hash")), usleep(500);
    } catch (const base::FileError& problem) {
      _exit(std::string(problem.what()).find(path.string()) == std::string::npos ? 1 : 7);
    }
  }
  close(done[1]);
  int state = 0;
  waitpid(child, &state, 0);
  CHECK(WEXITSTATUS(state) == 7);
  const run::Journal journal(path);
  std::size_t index = 0, count = 0;
  for (; read(done[0], &index, sizeof index) == sizeof index; ++count)
    CHECK(journal.known().count("cell-" + std::to_string(index)) == 1);
  CHECK(count > 20);
  close(done[0]);
}

TEST_CASE("journal: a reader that stays a while puts a commit off, and nothing is lost") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  sqlite3* reader = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &reader) == SQLITE_OK);
  REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM cells", nullptr, nullptr, nullptr) == SQLITE_OK);
  run::Journal journal(path);
  journal.add(0, cell(4), outcome(4), from("hash"));
  std::thread leaves([&] { usleep(500'000), sqlite3_close(reader); });
  CHECK_NOTHROW(journal.commit());
  leaves.join();
  CHECK(run::Journal::read(path).known.size() == 4);
}

TEST_CASE("journal: it says whose it is, and how far") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  CHECK_THROWS_WITH(run::status_of_journal(path), check::contains("there is no such journal"));
  {
    run::Journal journal(path);
    CHECK(!run::status_of_journal(path).begun);
    run::JournalRun facts{"A title", "abc", "a.toml", "resolved", "2/3", "0.1"};
    facts.planned = 10, facts.skipped = 1, facts.kept = 2;
    journal.begin(facts);
    for (int i = 0; i < 4; ++i) journal.add(0, cell(i), outcome(i), from("hash"));
    journal.add(0, cell(5), {base::Status::crashed, "SIGSEGV", {}, 0}, from("hash"));
    journal.add(0, cell(6), {base::Status::timeout, "late", {}, 0}, from("hash"));
    journal.commit();
    const run::JournalStatus status = run::status_of_journal(path);
    CHECK(status.title == "A title");
    CHECK(status.study_hash == "abc");
    CHECK(status.shard == "2/3");
    CHECK(status.ok == 6);
    CHECK(status.troubled() == 2);
    CHECK(status.left() == 1);
    CHECK(!status.is_finished());
    CHECK_THAT(status.writer, check::contains("process " + std::to_string(getpid()) + " on "));
    CHECK(status.writer == status.began_by);
    journal.add(0, cell(7), {base::Status::failed, "no", {}, 0}, from("hash"));
    journal.commit();
    CHECK(run::status_of_journal(path).is_finished());
  }
  CHECK(run::status_of_journal(path).writer.empty());
}

TEST_CASE("journal: why cells run") {
  base::Catalogue catalogue;
  catalogue.schemes.resize(1);
  catalogue.schemes[0].id = "rope", catalogue.schemes[0].version = "2.0", catalogue.schemes[0].file_hash = "now";
  catalogue.experiments.push_back({"uniqueness", "1.0", "", "", {}, {}, {}, false});
  const auto planned = [](int repeat) {
    base::Cell one = cell(repeat);
    one.variant.scheme = "rope";
    one.seed = 7;
    return one;
  };
  using base::Status;
  using run::Standing;
  const auto known = [&](int repeat, Status status, const run::Origin& origin, std::uint64_t seed) {
    return run::JournalKnown{repeat, status, origin, run::question_of(planned(repeat)), seed, repeat == 9};
  };
  const std::unordered_map<std::string, run::JournalKnown> journal{
      {"cell-0", known(0, Status::ok, {"now", "1.0", "2.0"}, 7)},
      {"cell-1", known(1, Status::failed, {"now", "1.0", "2.0"}, 7)},
      {"cell-2", known(2, Status::crashed, {"now", "1.0", "2.0"}, 7)},
      {"cell-3", known(3, Status::timeout, {"now", "1.0", "2.0"}, 7)},
      {"cell-4", known(4, Status::ok, {"then", "1.0", "2.0"}, 7)},
      {"other-5", known(5, Status::ok, {"now", "0.9", "2.0"}, 7)},
      {"other-6", known(6, Status::ok, {"now", "1.0", "1.9"}, 7)},
      {"older-7", known(7, Status::ok, {"now", "0.9", "1.9"}, 8)},
      {"other-7", known(7, Status::ok, {"now", "1.0", "2.0"}, 8)},
      {"cell-9", known(9, Status::ok, {"now", "1.0", "2.0"}, 7)}};
  std::vector<base::Cell> cells;
  for (int i = 0; i < 11; ++i) cells.push_back(planned(i));
  cells[10].skip = "too long";
  const run::Standings standings(journal, catalogue);
  CHECK(standings.of(cells) == std::vector<Standing>{Standing::kept, Standing::failed_before, Standing::crashed_before,
                                                     Standing::timed_out_before, Standing::plugin_changed,
                                                     Standing::experiment_changed, Standing::scheme_changed,
                                                     Standing::seed_changed, Standing::fresh, Standing::damaged,
                                                     Standing::fresh});
  CHECK(standings.sentence(cells[0]) == "kept");
  CHECK(standings.sentence(cells[4]) == "plugin changed: now, done with then");
  CHECK(standings.sentence(cells[5]) == "experiment version changed: 1.0, done with 0.9");
  CHECK(standings.sentence(cells[6]) == "scheme version changed: 2.0, done with 1.9");
  CHECK(standings.sentence(cells[7]) == "seed changed: 7, done with 8");
}
