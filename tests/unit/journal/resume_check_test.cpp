// SPDX-License-Identifier: Apache-2.0
// Which journals belong to a study.
#include "poslab/journal/resume_check.hpp"

#include <vector>

#include "studies.hpp"

using namespace journals;

namespace {

const journal::StudyName study{"A title", "a.toml", "hash of a.toml"};
const journal::StudyName changed{"A title", "a.toml", "another hash"};
const journal::StudyName stranger{"Another title", "b.toml", "hash of b.toml"};

// A journal of `study` with these cells.
fs::path journal_with(const Scratch& scratch, const std::vector<data::Cell>& cells) {
  const fs::path path = scratch / "a.journal";
  journal::Journal journal(path);
  journal.begin({study.title, study.hash, study.path, "", "", ""});
  for (const data::Cell& cell : cells) journal.add(0, cell, packed(1), current);
  return path;
}

}  // namespace

TEST_CASE("resume check: a journal belongs to the study that it was last written for, whatever its cells") {
  const Scratch scratch;
  const data::Catalogue catalogue = small_catalogue();
  const fs::path path = journal_with(scratch, {planned(1)});
  CHECK(journal::resumes(path, study, {planned(2)}, catalogue));
  CHECK(!journal::resumes(path, stranger, {planned(2)}, catalogue));
  CHECK(!journal::resumes(scratch / "none.journal", study, {planned(1)}, catalogue));
}

TEST_CASE("resume check: a journal belongs to a study that shares a cell, also under another seed") {
  const Scratch scratch;
  const data::Catalogue catalogue = small_catalogue();
  const fs::path path = journal_with(scratch, {planned(1)});
  CHECK(journal::resumes(path, stranger, {planned(2), planned(1)}, catalogue));
  data::Cell other_seed = planned(1);
  other_seed.id = "another identity", other_seed.seed = 8;
  CHECK(journal::resumes(path, stranger, {other_seed}, catalogue));
  other_seed.repeat = 2;
  CHECK(!journal::resumes(path, stranger, {other_seed}, catalogue));
}

TEST_CASE("resume check: a corrupt journal is taken to be the study's, and says so") {
  const Scratch scratch;
  const fs::path path = scratch / "a.journal";
  write_bytes(path, std::string(10000, 'x'));
  CHECK(journal::resumes(path, study, {planned(1)}, small_catalogue()));
  const journal::JournalContent content = journal::readable_content(path);
  CHECK(content.known.empty());
  REQUIRE(content.notices.size() == 1);
  CHECK_THAT(content.notices[0], check::contains("is corrupt"));
}

TEST_CASE("resume check: for a shard, the study's file and title are enough") {
  const Scratch scratch;
  const data::Catalogue catalogue = small_catalogue();
  const fs::path path = journal_with(scratch, {planned(1)});
  CHECK(!journal::resumes(path, changed, {planned(2)}, catalogue));
  CHECK(journal::resumes_shard(path, changed, {planned(2)}, catalogue));
  CHECK(!journal::resumes_shard(path, stranger, {planned(2)}, catalogue));
  CHECK(!journal::resumes_shard(path, {study.title, "b.toml", ""}, {planned(2)}, catalogue));
  CHECK(journal::resumes_shard(path, stranger, {planned(1)}, catalogue));
}

TEST_CASE("resume check: a shard's journal without cells may be anybody's") {
  const Scratch scratch;
  const data::Catalogue catalogue = small_catalogue();
  const fs::path path = journal_with(scratch, {});
  CHECK(!journal::resumes(path, stranger, {planned(1)}, catalogue));
  CHECK(journal::resumes_shard(path, stranger, {planned(1)}, catalogue));
}

TEST_CASE("resume check: cells of a journal that are not in the plan are counted") {
  const Scratch scratch;
  const fs::path path = journal_with(scratch, {planned(1), planned(2), planned(3)});
  const auto known = journal::Journal::read(path).known;
  CHECK(journal::count_unasked(known, {planned(2), planned(7)}) == 2);
  CHECK(journal::count_unasked(known, {planned(1), planned(2), planned(3)}) == 0);
  CHECK(journal::count_unasked(known, {}) == 3);
}
