// SPDX-License-Identifier: Apache-2.0
// What long cells go on from: kept beside the journal, until their outcomes are on disk.
#include "poslab/journal/checkpoints.hpp"

#include "journals.hpp"
#include "thrown.hpp"

using namespace journals;

namespace {

data::CheckpointPointer checkpoint_at(std::uint64_t step, const std::string& bytes) {
  return std::make_shared<const data::Checkpoint>(
      data::Checkpoint{{step, 2000, 64 * step, "step " + std::to_string(step)}, bytes});
}

fs::path checkpoints_beside(const fs::path& path) { return path.string() + "-checkpoints"; }

std::string kept_bytes(const journal::Journal& journal, int number, const std::string& maker = "maker") {
  const auto found = journal.checkpoint(cell(number).id, maker);
  return found ? found->bytes : "nothing";
}

// What is asked of a thread that stores it.
template <class Happens>
void wait_until(const Happens& happens) {
  for (int wait = 0; wait < 2000 && !happens(); ++wait) usleep(10'000);
  CHECK(happens());
}

}  // namespace

TEST_CASE("checkpoints: a later run of the same code goes on from the newest") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  {
    journal::Journal journal(path);
    CHECK(!journal.has_checkpoint(cell(1).id));
    CHECK(!journal.checkpoint(cell(1).id, "maker"));
    journal.keep(cell(1), checkpoint_at(400, std::string("ear\0ly", 6)), "maker");
    journal.keep(cell(2), checkpoint_at(500, "of another"), "maker");
    journal.keep(cell(1), checkpoint_at(800, std::string("la\0te", 5)), "maker");
    CHECK(kept_bytes(journal, 1) == std::string("la\0te", 5));  // at once
  }
  const journal::Journal journal(path);
  CHECK(journal.notices().empty());  // the journal has no cell, but nothing is lost
  CHECK(journal.has_checkpoint(cell(1).id));
  CHECK(kept_bytes(journal, 1) == std::string("la\0te", 5));
  CHECK(kept_bytes(journal, 2) == "of another");
  CHECK(journal.checkpoint(cell(1).id, "maker")->progress.done == 800);
  CHECK(kept_bytes(journal, 1, "another maker") == "nothing");
  CHECK(kept_bytes(journal, 3) == "nothing");
  const auto known = journal::checkpoints_of(path);
  REQUIRE(known.size() == 2);
  CHECK(known.at(cell(1).id).progress.done == 800);
  CHECK(known.at(cell(1).id).progress.total == 2000);
  CHECK(known.at(cell(1).id).progress.tokens == 51200);
  CHECK(known.at(cell(1).id).progress.sentence == "step 800");
  CHECK(known.at(cell(1).id).experiment == "uniqueness");
  CHECK(known.at(cell(1).id).variant == "rope");
  CHECK(known.at(cell(1).id).maker == "maker");
  CHECK(known.at(cell(1).id).kept > 1700000000);
}

TEST_CASE("checkpoints: one is forgotten once the outcome of its cell is on disk, and with the last goes the file") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  {
    journal::Journal journal(path);
    journal.keep(cell(1), checkpoint_at(400, "one"), "maker");
    journal.keep(cell(2), checkpoint_at(400, "two"), "maker");
    wait_until([&] { return journal::checkpoints_of(path).size() == 2; });
    const auto status = GENERATE(data::Status::ok, data::Status::timeout);
    journal.add(7, cell(1), data::PackedOutcome(data::Outcome{status, "", {}, 0}), from("hash"));
    journal.commit();
    CHECK(!journal.has_checkpoint(cell(1).id));
    CHECK(kept_bytes(journal, 1) == "nothing");
    CHECK(kept_bytes(journal, 2) == "two");
    wait_until([&] { return journal::checkpoints_of(path).size() == 1; });
  }
  CHECK(fs::exists(checkpoints_beside(path)));
  {
    journal::Journal journal(path);
    CHECK(kept_bytes(journal, 1) == "nothing");
    journal.forget_checkpoint(cell(2).id);
  }
  CHECK(!fs::exists(checkpoints_beside(path)));
  CHECK(journal::Journal::read(path).known.size() == 1);
}

TEST_CASE("checkpoints: whoever is told of a commit is told, too, where cells have checkpoints") {
  const Scratch scratch;
  std::vector<std::size_t> told;
  journal::Journal journal(scratch / "a.journal");
  journal.on_commit([&](const std::vector<std::size_t>& indices) { told = indices; });
  journal.keep(cell(1), checkpoint_at(400, "one"), "maker");
  journal.add(7, cell(1), packed(1), from("hash"));
  journal.commit();
  CHECK(told == std::vector<std::size_t>{7});
}

TEST_CASE("checkpoints: a run that is killed leaves the last that was stored, whole") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  const std::string large(3 << 20, 'x');
  in_killed_child([&](const auto& ready) {
    journal::Journal journal(path);
    journal.keep(cell(1), checkpoint_at(1, large), "maker");
    while (journal::checkpoints_of(path).empty()) usleep(1000);
    ready();
    for (std::uint64_t step = 2;; ++step, usleep(500)) journal.keep(cell(1), checkpoint_at(step, large), "maker");
  });
  const journal::Journal journal(path);
  const auto found = journal.checkpoint(cell(1).id, "maker");
  REQUIRE(found);
  CHECK(found->bytes == large);
  CHECK(found->progress.sentence == "step " + std::to_string(found->progress.done));
}

TEST_CASE("checkpoints: what delays them delays no outcome, and only the newest is stored afterwards") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  journal::Journal journal(path);
  journal.keep(cell(1), checkpoint_at(1, "early"), "maker");
  wait_until([&] { return journal::checkpoints_of(path).size() == 1; });
  execute(checkpoints_beside(path), "BEGIN; SELECT count(*) FROM checkpoints", [&] {
    journal.keep(cell(1), checkpoint_at(2, "late"), "maker");
    journal.keep(cell(1), checkpoint_at(3, "latest"), "maker");
    journal.add(0, cell(2), packed(2), from("hash"));
    journal.commit();
    CHECK(journal::Journal::read(path).known.size() == 1);
  });
  wait_until([&] { return journal::checkpoints_of(path).at(cell(1).id).progress.done == 3; });
}

TEST_CASE("checkpoints: a fresh start forgets them") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  { journal::Journal(path).keep(cell(1), checkpoint_at(1, "early"), "maker"); }
  CHECK(fs::exists(checkpoints_beside(path)));
  const journal::Journal journal(path, journal::Journal::Start::fresh);
  CHECK(!journal.has_checkpoint(cell(1).id));
  CHECK(!fs::exists(checkpoints_beside(path)));
}

TEST_CASE("checkpoints: a fresh start forgets those beside a journal that is no database, too") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  { journal::Journal(path).keep(cell(1), checkpoint_at(1, "early"), "maker"); }
  write_bytes(path, std::string(4096, 'x'));
  const journal::Journal journal(path, journal::Journal::Start::fresh);
  CHECK(!journal.has_checkpoint(cell(1).id));
  CHECK(!fs::exists(checkpoints_beside(path)));
}

TEST_CASE("checkpoints: a flipped bit in one makes its cell begin anew") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  { journal::Journal(path).keep(cell(1), checkpoint_at(1, "the bytes of a walk"), "maker"); }
  std::string bytes = bytes_of(checkpoints_beside(path));
  const auto [from_text, to_text] = GENERATE(std::pair{"a walk", "b walk"}, std::pair{"step 1", "step 2"});
  bytes.replace(bytes.find(from_text), 6, to_text);
  write_bytes(checkpoints_beside(path), bytes);
  const journal::Journal journal(path);
  CHECK(journal.has_checkpoint(cell(1).id));
  CHECK(kept_bytes(journal, 1) == "nothing");
}

TEST_CASE("checkpoints: a damaged file is kept under another name, and said, another program's is refused") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  write_bytes(checkpoints_beside(path), std::string(10000, 'x'));
  {
    journal::Journal journal(path);
    REQUIRE(journal.notices().size() == 1);
    CHECK_THAT(journal.notices()[0], check::contains("the checkpoints in " + checkpoints_beside(path).string()));
    CHECK(bytes_of(checkpoints_beside(path).string() + ".corrupt") == std::string(10000, 'x'));
    journal.keep(cell(1), checkpoint_at(1, "early"), "maker");
  }
  CHECK(kept_bytes(journal::Journal(path), 1) == "early");
  fs::remove(checkpoints_beside(path));
  execute(checkpoints_beside(path), "CREATE TABLE t(x)");
  const auto start = GENERATE(journal::Journal::Start::resume, journal::Journal::Start::fresh);
  CHECK(check::thrown([&] { static_cast<void>(journal::Journal(path, start)); }).kind == check::Kind::file);
  CHECK(journal::checkpoints_of(path).empty());
  CHECK(fs::exists(checkpoints_beside(path)));
}

TEST_CASE("checkpoints: those of a later poslab are refused by their format") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  { journal::Journal(path).keep(cell(1), checkpoint_at(1, "early"), "maker"); }
  execute(checkpoints_beside(path), "PRAGMA user_version = 9");
  CHECK_THROWS_WITH(journal::Journal(path), check::contains("has format 9, this program reads 1"));
}

TEST_CASE("checkpoints: whoever cannot store them says so when the next is kept") {
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  journal::Journal journal(path);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1 << 16, before.rlim_max };
  setrlimit(RLIMIT_FSIZE, &small);
  journal.keep(cell(1), checkpoint_at(1, std::string(1 << 20, 'x')), "maker");
  bool said = false;
  for (int wait = 0; wait < 2000 && !said; ++wait, usleep(10'000)) try {
      journal.keep(cell(2), checkpoint_at(1, "small"), "maker");
    } catch (const base::FileError& problem) {
      said = true;
      CHECK_THAT(problem.what(), check::contains("a.journal-checkpoints"));
    }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  CHECK(said);
}

TEST_CASE("checkpoints: their maker is all that the bits of a cell depend on") {
  data::Catalogue catalogue;
  data::SchemeInfo& scheme = catalogue.schemes.emplace_back();
  scheme.id = "rope", scheme.version = "1.0", scheme.file_hash = "abc";
  data::ExperimentInfo& experiment = catalogue.experiments.emplace_back();
  experiment.id = "uniqueness", experiment.version = "1.0";
  data::Cell asked = cell(1);
  asked.variant.scheme = "rope";
  const std::string maker = journal::maker_of(asked, catalogue);
  CHECK(maker == journal::maker_of(asked, catalogue));
  CHECK(maker.size() == 32);
  for (std::string* fact : {&scheme.version, &scheme.file_hash, &experiment.version}) {
    const std::string before = std::exchange(*fact, "another");
    CHECK(journal::maker_of(asked, catalogue) != maker);
    *fact = before;
  }
}
