// SPDX-License-Identifier: Apache-2.0
// Journals after kills, cuts, flipped bits and full disks: what they still say is right, and what they lack is said.
#include "journals.hpp"
#include "thrown.hpp"

using namespace journals;

TEST_CASE("journal: a process that is killed loses nothing that was committed, and its lock is free") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  in_killed_child([&](const auto& ready) {
    journal::Journal journal(path);
    journal.on_commit([&](const auto&) { ready(); });
    for (int i = 0;; ++i) journal.add(0, cell(i), packed(i), from("hash")), usleep(1000);
  });
  CHECK(fs::exists(path.string() + "-lock"));
  CHECK(journal::status_of_journal(path).writer.empty());
  journal::Journal journal(path);
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
    CHECK(journal::Journal::read(path).known.size() == 300);
    CHECK(!journal::Journal::read(path).known.at("cell-7").damaged);
  }
  check_right_or_said(path, 300, true);
  CHECK(journal::Journal(path).known().size() == 300);
}

TEST_CASE("journal: a changed record is noticed and runs again, the others stay") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  {
    journal::Journal journal(path);
    for (int i = 0; i < 5; ++i) journal.add(0, cell(i), packed(i), from(""));
  }
  execute(
      path,
      "UPDATE cells SET outcome = CAST(substr(outcome, 1, length(outcome) - 1) || x'07' AS BLOB) WHERE id = 'cell-3'");
  journal::Journal journal(path);
  CHECK(journal.known().size() == 4);
  CHECK(journal.known().count("cell-3") == 0);
  REQUIRE(journal.notices().size() == 1);
  CHECK_THAT(journal.notices()[0], check::contains("1 of the journal's 5 cells"));
}

TEST_CASE("journal: a corrupt database is kept aside and said so") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  std::ofstream(path) << std::string(10000, 'x');
  journal::Journal journal(path);
  CHECK(journal.known().empty());
  REQUIRE(journal.notices().size() == 1);
  CHECK_THAT(journal.notices()[0], check::contains(path.string() + ".corrupt"));
  CHECK(fs::file_size(path.string() + ".corrupt") == 10000);
}

TEST_CASE("journal: another's database and other formats are refused by name") {
  const Scratch scratch;
  execute(scratch / "foreign", "CREATE TABLE t(x)");
  CHECK(check::thrown([&] { static_cast<void>(journal::Journal(scratch / "foreign")); }).kind == check::Kind::file);
  CHECK(check::thrown([&] {
          static_cast<void>(journal::Journal(scratch / "foreign", journal::Journal::Start::fresh));
        }).kind == check::Kind::file);
  CHECK(fs::exists(scratch / "foreign"));
  const std::string format = GENERATE("2", "6");
  { journal::Journal journal(scratch / "other"); }
  execute(scratch / "other", "PRAGMA user_version = " + format);
  CHECK_THROWS_WITH(journal::Journal(scratch / "other"), check::contains("journal format " + format));
  CHECK_THROWS_WITH(journal::Journal::read(scratch / "other"), check::contains("--fresh"));
  CHECK(check::thrown([&] { static_cast<void>(journal::status_of_journal(scratch / "other")); }).kind ==
        check::Kind::file);
  CHECK(journal::Journal(scratch / "other", journal::Journal::Start::fresh).known().empty());
}

TEST_CASE("journal: one in which a column is missing is corrupt, and is kept aside") {
  const Scratch scratch;
  const std::string column = GENERATE("seconds", "outcome", "plugin_hash");
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  execute(path, "ALTER TABLE cells RENAME COLUMN " + column + " TO another");
  CHECK_THROWS_WITH(journal::Journal::read(path), check::contains(path.string() + ": is corrupt"));
  CHECK(journal::Journal(path).known().empty());
  CHECK(fs::exists(path.string() + ".corrupt"));
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
    const std::size_t offset = i < 100 ? i : (i * 7919 * 31) % whole.size();
    CAPTURE(offset, i % 8);
    std::string bytes = whole;
    bytes[offset] = static_cast<char>(bytes[offset] ^ (1 << i % 8));
    write_bytes(path, bytes);
    try {
      check_right_or_said(path, 40, i % 10 == 0);
    } catch (const base::Error& foreign) {  // the mark of a journal, or its version, was hit
      CAPTURE(foreign.what());
      CHECK(foreign.kind == check::Kind::file);
      CHECK(((offset >= 60 && offset < 64) || (offset >= 68 && offset < 72)));
    }
  }
}

TEST_CASE("journal: a side file that names another file is refused, and nothing is deleted") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  fill(path, 3);
  write_bytes(path.string() + "-journal", "somebody's work\xd9\xd5\x05\xf9\x20\xa1\x63\xd7");
  for (const auto& open : {std::function<void()>([&] { journal::Journal::read(path); }),
                           std::function<void()>([&] { journal::status_of_journal(path); }),
                           std::function<void()>([&] { const journal::Journal journal(path); })})
    CHECK_THROWS_WITH(open(), check::contains("names a file that SQLite might delete"));
  fs::remove(path.string() + "-journal");
  CHECK(journal::Journal::read(path).known.size() == 3);
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
    journal::Journal journal(path);
    journal.on_commit([&](const std::vector<std::size_t>& all) {
      for (const std::size_t i : all) static_cast<void>(!write(done[1], &i, sizeof i));
    });
    try {
      for (int i = 0;; ++i) journal.add(static_cast<std::size_t>(i), cell(i), packed(i), from("hash")), usleep(500);
    } catch (const base::FileError& problem) {
      _exit(std::string(problem.what()).find(path.string()) == std::string::npos ? 1 : 7);
    }
  }
  close(done[1]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
  const journal::Journal journal(path);
  std::size_t index = 0, count = 0;
  for (; read(done[0], &index, sizeof index) == sizeof index; ++count)
    CHECK(journal.known().count("cell-" + std::to_string(index)) == 1);
  CHECK(count > 20);
  close(done[0]);
}
