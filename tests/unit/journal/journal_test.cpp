// SPDX-License-Identifier: Apache-2.0
// What a journal keeps, when it counts as kept, who may look and who may write.
#include "journals.hpp"
#include "thrown.hpp"

#include "poslab/base/machine.hpp"
#include "poslab/data/outcome.hpp"

using namespace journals;

TEST_CASE("journal: what was added is known to the next run, with its numbers and its plugin") {
  const Scratch scratch;
  const fs::path path = journal::Journal::beside(scratch / "a.h5");
  CHECK(path == scratch / "a.h5.journal");
  {
    journal::Journal journal(path);
    CHECK(journal.known().empty());
    journal.add(0, cell(1), packed(1.5), from("hash"));
    journal.add(1, cell(2), data::PackedOutcome(data::Outcome{data::Status::failed, "not enough memory", {}, 0}),
                from("hash"));
    CHECK(value_of(journal.outcome("cell-1")) == 1.5);
    CHECK_THROWS_AS(journal.outcome("cell-3"), base::Error);
  }
  journal::Journal journal(path);
  REQUIRE(journal.known().size() == 2);
  CHECK(journal.known().at("cell-1").origin.plugin_hash == "hash");
  CHECK(journal.known().at("cell-2").status == data::Status::failed);
  CHECK(journal.outcome("cell-2").message == "not enough memory");
  journal.add(0, cell(2), packed(7), from("other"));
  CHECK(value_of(journal.outcome("cell-2")) == 7);
}

TEST_CASE("journal: a cell counts as done only once it is on disk, and that is soon") {
  const Scratch scratch;
  std::mutex mutex;
  std::vector<std::size_t> done;
  const fs::path path = scratch / "a.journal";
  journal::Journal journal(path);
  journal.on_commit([&](const std::vector<std::size_t>& indices) {
    const std::lock_guard lock(mutex);
    done.insert(done.end(), indices.begin(), indices.end());
  });
  journal.add(4, cell(4), packed(4), from(""));
  journal.add(2, cell(2), packed(2), from(""));
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return done.size();
  };
  for (int i = 0; i < 1000 && count() < 2; ++i) usleep(10'000);
  CHECK(done == std::vector<std::size_t>{4, 2});
}

TEST_CASE("journal: another process may look at it while it is written") {
  const Scratch scratch;
  journal::Journal journal(scratch / "a.journal");
  journal.add(0, cell(1), packed(1), from("hash"));
  journal.commit();
  CHECK(journal::Journal::read(scratch / "a.journal").known.at("cell-1").origin.plugin_hash == "hash");
  CHECK(journal::Journal::read(scratch / "none").known.empty());
}

TEST_CASE("journal: a cell that is gone from it is an error that names the file and the cell") {
  const Scratch scratch;
  const journal::Journal journal(scratch / "a.journal");
  {
    const poslab::base::Error error = check::thrown([&] { static_cast<void>(journal.outcome("gone")); });
    CHECK(error.kind == check::Kind::file);
    CHECK_THAT(error.what(), check::contains((scratch / "a.journal").string()));
    CHECK_THAT(error.what(), check::contains("cell gone is gone from it"));
  }
}

TEST_CASE("journal: two runs of one file: the second is told who holds it") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  const journal::Journal journal(path);
  CHECK(check::thrown([&] { static_cast<void>(journal::Journal(path)); }).kind == check::Kind::busy);
  CHECK_THROWS_WITH(journal::Journal(path), check::contains("process " + std::to_string(getpid()) + " on "));
}

TEST_CASE("journal: a fresh start removes what is there, but nothing that somebody holds") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  {
    const journal::Journal held(path);
    CHECK(check::thrown([&] { static_cast<void>(journal::Journal(path, journal::Journal::Start::fresh)); }).kind ==
          check::Kind::busy);
    CHECK(journal::Journal::read(path).known.size() == 3);
  }
  write_bytes(path.string() + "-journal", "left behind");
  CHECK(journal::Journal(path, journal::Journal::Start::fresh).known().empty());
  CHECK(journal::Journal(path).known().empty());
}

TEST_CASE("journal: a reader that stays a while puts a commit off, and nothing is lost") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  sqlite3* reader = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &reader) == SQLITE_OK);
  REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM cells", nullptr, nullptr, nullptr) == SQLITE_OK);
  journal::Journal journal(path);
  journal.add(0, cell(4), packed(4), from("hash"));
  std::thread leaves([&] { usleep(500'000), sqlite3_close(reader); });
  CHECK_NOTHROW(journal.commit());
  leaves.join();
  CHECK(journal::Journal::read(path).known.size() == 4);
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
  journal::Journal journal(path);
  journal.add(0, cell(1), packed(1), from("hash"));  // once more, here
  journal.commit();
  const auto machines = journal.machines({cell(0).id, cell(1).id, "never performed"});
  REQUIRE(machines.size() == 2);
  CHECK(machines[0].processor == "abacus");
  CHECK(machines[0].cells == 1);
  CHECK(machines[0].first == 8);
  CHECK(machines[1].processor == base::processor_name());
  CHECK(machines[1].host == base::host_name());
  CHECK(machines[1].last > 1700000000);
}

TEST_CASE("journal: it knows by which build each cell was performed") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  const journal::Build first{"0.1", "abc"}, second{"0.2", "def"};
  const auto run = [&](const journal::Build& build, std::initializer_list<int> cells) {
    journal::Journal journal(path);
    journal::JournalRun facts;
    facts.build = build;
    journal.begin(facts);
    for (const int number : cells) journal.add(0, cell(number), packed(number), from("hash"));
  };
  const auto cells_of = [&](const journal::Build& build) {
    std::size_t cells = 0;
    for (const journal::JournalBuild& by :
         journal::Journal(path).builds({"cell-0", "cell-1", "cell-2", "never performed"}))
      if (by.build == build) cells = by.cells;
    return cells;
  };
  fill(path, 1);  // by a run that does not say
  CHECK(cells_of({}) == 1);
  run(first, {1, 2});
  run(second, {2});  // once more: its row was the last
  CHECK(cells_of({}) == 1);
  CHECK(cells_of(first) == 1);
  CHECK(cells_of(second) == 1);
  run(first, {});
  run(second, {0});
  CHECK(cells_of({}) == 0);
  CHECK(cells_of(first) == 1);
  CHECK(cells_of(second) == 2);
  const auto builds = journal::Journal(path).builds({"cell-2", "cell-1"});
  REQUIRE(builds.size() == 2);
  CHECK(builds[0].build == first);  // in the order in which they were performed
  CHECK(builds[1].variants == std::set<std::string>{"rope"});
}

TEST_CASE("journal: one of an earlier poslab, which kept no builds, goes on") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 2);
  execute(path, "DROP TABLE builds");
  CHECK_THROWS_WITH(journal::Journal::read(path), check::contains("is corrupt"));
  execute(path, "DROP TABLE shard; PRAGMA user_version = 3");
  CHECK(journal::Journal::read(path).known.size() == 2);
  journal::Journal journal(path);
  REQUIRE(journal.builds({"cell-0", "cell-1"}).size() == 1);
  CHECK(journal.builds({"cell-0", "cell-1"})[0].build == journal::Build{"unknown", "unknown"});
  journal::JournalRun facts;
  facts.build = {"0.2", "def"};
  journal.begin(facts);
  journal.add(0, cell(1), packed(1), from("hash"));
  journal.commit();
  REQUIRE(journal.builds({"cell-0", "cell-1"}).size() == 2);
  CHECK(journal.builds({"cell-0", "cell-1"})[1].build.git_commit == "def");
}

TEST_CASE("journal: it says whose it is, and how far") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  CHECK_THROWS_WITH(journal::status_of_journal(path), check::contains("there is no such journal"));
  {
    journal::Journal journal(path);
    CHECK(!journal::status_of_journal(path).begun);
    journal::JournalRun facts{"A title", "abc", "a.toml", "resolved", "2/3", {"0.1", "abc"}};
    facts.planned = 10, facts.skipped = 1, facts.kept = 2;
    journal.begin(facts);
    for (int i = 0; i < 4; ++i) journal.add(0, cell(i), packed(i), from("hash"));
    journal.add(0, cell(5), data::PackedOutcome(data::Outcome{data::Status::crashed, "SIGSEGV", {}, 0}), from("hash"));
    journal.add(0, cell(6), data::PackedOutcome(data::Outcome{data::Status::timeout, "late", {}, 0}), from("hash"));
    journal.commit();
    const journal::JournalStatus status = journal::status_of_journal(path);
    CHECK(status.title == "A title");
    CHECK(status.study_hash == "abc");
    CHECK(status.shard == "2/3");
    CHECK(status.ok == 6);
    CHECK(status.failed + status.crashed + status.timeout == 2);
    CHECK(status.left() == 1);
    CHECK(!status.is_finished());
    CHECK_THAT(status.writer, check::contains("process " + std::to_string(getpid()) + " on "));
    CHECK(status.writer == status.began_by);
    journal.add(0, cell(7), data::PackedOutcome(data::Outcome{data::Status::failed, "no", {}, 0}), from("hash"));
    journal.commit();
    CHECK(journal::status_of_journal(path).is_finished());
  }
  CHECK(journal::status_of_journal(path).writer.empty());
}

TEST_CASE("journal: the packed record is stored as it was given, and comes back byte for byte") {
  const Scratch scratch;
  const data::PackedOutcome sent = packed(1.5);
  journal::Journal journal(scratch / "a.journal");
  journal.add(0, cell(1), sent, from("hash"));
  journal.commit();
  sqlite3* reader = nullptr;
  REQUIRE(sqlite3_open((scratch / "a.journal").c_str(), &reader) == SQLITE_OK);
  sqlite3_stmt* select = nullptr;
  REQUIRE(sqlite3_prepare_v2(reader, "SELECT outcome FROM cells", -1, &select, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(select) == SQLITE_ROW);
  const auto* stored = static_cast<const char*>(sqlite3_column_blob(select, 0));
  CHECK(std::string(stored, static_cast<std::size_t>(sqlite3_column_bytes(select, 0))) == sent.bytes());
  sqlite3_finalize(select);
  sqlite3_close(reader);
}

TEST_CASE("journal: every column of a row is written, under its own name") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  {
    journal::Journal journal(path);
    data::Cell one = cell(3);
    one.variant.scheme = "the scheme", one.seed = 7;
    one.axes = {{"heads", std::int64_t{2}}, {"shift", std::vector<double>{1, 8}}};
    journal.add(0, one, packed(1), {"the hash", "1.0", "2.0"});
  }
  const auto count = [&](const std::string& condition) {
    sqlite3* handle = nullptr;
    sqlite3_open(path.c_str(), &handle);
    sqlite3_stmt* select = nullptr;
    REQUIRE(sqlite3_prepare_v2(handle, ("SELECT count(*) FROM cells WHERE " + condition).c_str(), -1, &select,
                               nullptr) == SQLITE_OK);
    sqlite3_step(select);
    const int rows = sqlite3_column_int(select, 0);
    sqlite3_finalize(select);
    sqlite3_close(handle);
    return rows;
  };
  for (const std::string condition :
       {"id = 'cell-3'", "experiment = 'uniqueness'", "scheme = 'the scheme'", "variant = 'rope'",
        "axes = '{\"heads\": 2}'", "repeat = 3", "seed = 7", "status = 'ok'", "message = ''", "seconds = 0.5",
        "finished > 1700000000", "plugin_hash = 'the hash'", "experiment_version = '1.0'", "scheme_version = '2.0'",
        "length(question) = 32", "length(host) > 0", "length(processor) > 0", "length(checksum) = 16",
        "length(outcome) > 16"}) {
    CAPTURE(condition);
    CHECK(count(condition) == 1);
  }
}

TEST_CASE("journal: its errors have their facts as members") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  const journal::Journal held(path);
  {
    const poslab::base::Error error = check::thrown([&] { const journal::Journal second(path); });
    CHECK(error.kind == check::Kind::busy);
    CHECK_THAT(error.what(), check::contains(path.string()));
    CHECK_THAT(error.what(), check::contains("process " + std::to_string(getpid()) + " on "));
  }
  execute(scratch / "foreign", "CREATE TABLE t(x)");
  {
    const poslab::base::Error error = check::thrown([&] { journal::Journal::read(scratch / "foreign"); });
    CHECK(error.kind == check::Kind::file);
    CHECK_THAT(error.what(), check::contains((scratch / "foreign").string()));
    CHECK_THAT(error.what(), check::contains("is a database, but no journal of poslab"));
  }
  write_bytes(scratch / "corrupt", std::string(10000, 'x'));
  try {
    journal::Journal::read(scratch / "corrupt");
    FAIL("it was read");
  } catch (const journal::JournalCorrupt& problem) {
    CHECK(problem.path == (scratch / "corrupt").string());
  }
}
