// SPDX-License-Identifier: Apache-2.0
// What a journal keeps, when it counts as kept, who may look and who may write.
#include "journals.hpp"

#include "poslab/run/machine.hpp"

using namespace journals;

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

TEST_CASE("journal: it knows on which machine each cell was performed") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "UPDATE cells SET processor = 'abacus', finished = 7 + number WHERE number < 3", nullptr,
                       nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(other);
  run::Journal journal(path);
  journal.add(0, cell(1), outcome(1), from("hash"));  // once more, here
  journal.commit();
  const auto machines = journal.machines({cell(0).id, cell(1).id, "never performed"});
  REQUIRE(machines.size() == 2);
  CHECK(machines[0].processor == "abacus");
  CHECK(machines[0].cells == 1);
  CHECK(machines[0].first == 8);
  CHECK(machines[1].processor == run::processor_name());
  CHECK(machines[1].host == run::host_name());
  CHECK(machines[1].last > 1700000000);
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
