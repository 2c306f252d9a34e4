// SPDX-License-Identifier: Apache-2.0
// Whether results may go to a file. The child that looks into it is this test program, started again: it answers what
// the file holds, as a stand-in for HDF5.
#include "poslab/run/output.hpp"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/contained_reader.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

using Content = results::OutputContent;

std::string text_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

[[noreturn]] void look(const std::string& path) {
  const std::string text = text_in(path);
  if (text == "crash") std::raise(SIGABRT);
  if (text == "sanitizer") _exit(23);
  if (text == "damaged") {
    const std::string error_text = "poslab: " + path + ": is cut short\n";
    _exit(write(2, error_text.data(), error_text.size()) < 0 ? 99 : 2);
  }
  process::answer(text);
  _exit(0);
}

// Before main: with these arguments the test program is the child and not the test.
const bool is_looking = [] {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.size() == 4 && words[1] == process::in_child && words[2] == "look") look(words[3]);
  return false;
}();

struct OutputScratch : check::Scratch {
  std::string with(const std::string& text) const {
    std::ofstream(path / "a.h5", std::ios::binary | std::ios::trunc) << text;
    return (path / "a.h5").string();
  }
};

run::OwnCells never() { return std::nullopt; }
run::OwnCells one_cell() { return std::set<std::string>{"cell"}; }

std::string why_unreadable(const std::string& path) {
  try {
    run::read_content(path, "do this");
  } catch (const run::OutputUnreadable& error) {
    CHECK(error.path == path);
    return error.what();
  }
  return "it was read";
}

run::OutputTaken::By taken_by(const std::string& path, const std::function<run::OwnCells()>& own = never) {
  try {
    run::require_writable(path, "hash", false, own);
  } catch (const run::OutputTaken& error) {
    CHECK(error.path == path);
    return error.by;
  }
  throw std::runtime_error("it may be replaced");
}

}  // namespace

TEST_CASE("output: a child's answer is understood as it was meant") {
  for (const Content& content :
       {Content{}, Content{Content::Kind::table, "", true}, Content{Content::Kind::run, "abc", true},
        Content{Content::Kind::run, "abc", false}, Content{Content::Kind::run, "abc", true, {"one", "two"}},
        Content{Content::Kind::run, "abc", true, {"one"}, true}, Content{Content::Kind::run, "abc", false, {}, true}}) {
    const auto understood = run::decode_content(run::encode(content));
    REQUIRE(understood);
    CHECK(understood->kind == content.kind);
    CHECK(understood->study_hash == content.study_hash);
    CHECK(understood->complete == content.complete);
    CHECK(understood->measured == content.measured);
    CHECK(understood->is_shard == content.is_shard);
  }
  CHECK(!run::decode_content(""));
  CHECK(!run::decode_content("noise"));
}

TEST_CASE("output: where nothing is, nobody is asked") {
  const OutputScratch scratch;
  const auto asked = []() -> run::OwnCells { throw std::runtime_error("asked"); };
  CHECK_NOTHROW(run::require_writable((scratch.path / "a.h5").string(), "hash", false, asked));
  CHECK(run::read_content((scratch.path / "a.h5").string(), "").kind == Content::Kind::nothing);
  CHECK_THROWS_AS(run::require_writable((scratch.path / "none/a.h5").string(), "hash", false, asked), base::FileError);
  CHECK_THROWS_AS(run::require_writable(scratch.path.string(), "hash", false, asked), base::FileError);
}

TEST_CASE("output: this study's own results may be replaced, and others not") {
  const OutputScratch scratch;
  CHECK_NOTHROW(run::require_writable(scratch.with("+hash"), "hash", false, never));
  CHECK_NOTHROW(run::require_writable(scratch.with("-hash"), "hash", false, never));
  CHECK_NOTHROW(run::require_writable(scratch.with("nothing"), "hash", false, never));
  CHECK(taken_by(scratch.with("+other")) == run::OutputTaken::By::another_study);
  CHECK(taken_by(scratch.with("table")) == run::OutputTaken::By::table);
}

TEST_CASE("output: --fresh replaces whatever there is, unseen") {
  const OutputScratch scratch;
  const std::string path = scratch.with("crash");
  CHECK_NOTHROW(run::require_writable(path, "hash", true, never));
  CHECK_THROWS_AS(run::require_writable(path, "hash", false, never), run::OutputUnreadable);
}

TEST_CASE("output: beside a journal of this study its own cells may be replaced, and no others") {
  const OutputScratch scratch;
  CHECK_NOTHROW(run::require_writable(scratch.with("+other\ncell"), "hash", false, one_cell));
  CHECK(taken_by(scratch.with("+other\ncell\nanother"), one_cell) == run::OutputTaken::By::unknown_cells);
  CHECK(taken_by(scratch.with("table"), one_cell) == run::OutputTaken::By::table);
}

TEST_CASE("output: beside a journal a damaged file is replaced only if results were in it") {
  const OutputScratch scratch;
  const auto attempt = [&](const std::string& text) {
    run::require_writable(scratch.with(text), "hash", false, one_cell);
  };
  const std::string signature = "\x89HDF\r\n\x1a\n";
  CHECK_NOTHROW(attempt(""));
  CHECK_NOTHROW(attempt(signature + std::string(1 << 20, '.') + "study_hash"));
  CHECK_NOTHROW(attempt(signature + std::string((1 << 20) - 12, '.') + "study_hash"));
  CHECK_THROWS_AS(attempt(signature + "weights of a network"), run::OutputUnreadable);
  CHECK_THROWS_AS(attempt("notes on study_hash"), run::OutputUnreadable);
  CHECK_THROWS_AS(attempt("crash"), run::OutputUnreadable);
}

TEST_CASE("output: a file that another has written since is noticed, and one that is gone is not missed") {
  const OutputScratch scratch;
  const std::string path = (scratch.path / "a.h5").string();
  const auto nothing = run::mark_of(path);
  CHECK(!nothing);
  CHECK_NOTHROW(run::require_unchanged(path, nothing));
  scratch.with("+hash");
  CHECK(check::thrown([&] { run::require_unchanged(path, nothing); }).kind == base::Error::Kind::busy);
  const auto before = run::mark_of(path);
  CHECK_NOTHROW(run::require_unchanged(path, before));
  // As results are written: beside it, then by its name.
  std::ofstream(path + ".new") << "+hash";
  std::filesystem::rename(path + ".new", path);
  CHECK(check::thrown([&] { run::require_unchanged(path, before); }).kind == base::Error::Kind::busy);
  std::filesystem::remove(path);
  CHECK_NOTHROW(run::require_unchanged(path, before));
}

TEST_CASE("output: what cannot be read is said by whoever could not") {
  const OutputScratch scratch;
  const std::string path = scratch.with("crash");
  CHECK(why_unreadable(path) == path + ": cannot be read: HDF5 ends its process with SIGABRT (aborted); do this");
  CHECK(why_unreadable(scratch.with("sanitizer")) ==
        path + ": cannot be read: HDF5 ends its process with exit code 23; do this");
  CHECK(why_unreadable(scratch.with("damaged")) == path + ": is cut short; do this");
  CHECK_THAT(why_unreadable(scratch.with("noise")), check::contains("cannot be read"));
}
