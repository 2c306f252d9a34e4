// SPDX-License-Identifier: Apache-2.0
// Whatever goes wrong while a file is written, the old file stays, no half one is left, and the message says why.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "catch.hpp"
#include "h5/objects.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/output_content.hpp"
#include "sample.hpp"

using namespace poslab;

namespace {

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string get(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Runs `work` in a child in which no file may grow beyond `bytes`, as on a full disk; what it threw, and how it ended.
template <class Work>
std::string with_little_room(rlim_t bytes, const Work& work, int& status) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    // Some of Catch's reporters put buffers of their own into these, which are gone by the time that exit() flushes
    // them.
    for (std::ostream* stream : {&std::cout, &std::cerr, &std::clog}) stream->rdbuf(nullptr);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string thrown;
    try {
      work();
    } catch (const base::FileError& error) {
      thrown = error.what();
    }
    if (write(ends[1], thrown.data(), thrown.size()) < 0) _exit(9);
    exit(0);  // not _exit: HDF5's own clean-up must survive as well
  }
  close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t size = read(ends[0], text.data(), text.size());
  close(ends[0]);
  waitpid(child, &status, 0);
  return text.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
}

}  // namespace

TEST_CASE("a full disk loses nothing and does not crash") {
  const rlim_t room = GENERATE(0, 100, 5000, 20000, 60000);
  const sample::Directory directory;
  put(directory / "a.h5", "an older file");
  int status = 0;
  const std::string thrown = with_little_room(
      room, [&] { sample::make_run(20000).write(directory / "a.h5"); }, status);
  CAPTURE(room, thrown);
  CHECK(thrown.find(std::strerror(EFBIG)) != std::string::npos);
  CHECK(thrown.find("a.h5: the results cannot be written") != std::string::npos);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(get(directory / "a.h5") == "an older file");
  CHECK(directory.entries() == std::vector<std::string>{"a.h5"});
}

TEST_CASE("paths where no file can be written say so") {
  const sample::Directory directory;
  const sample::Run run = sample::make_run();
  SECTION("no such directory") {
    CHECK_THROWS_WITH(run.write(directory / "nowhere/a.h5"), check::contains("No such file or directory"));
    CHECK_THROWS_AS(results::check_writable(directory / "nowhere/a.h5"), base::FileError);
  }
  SECTION("a file in place of the directory") {
    put(directory / "file", "x");
    CHECK_THROWS_WITH(run.write(directory / "file/a.h5"), check::contains("Not a directory"));
  }
  SECTION("a directory in place of the file") {
    std::filesystem::create_directory(directory / "a.h5");
    CHECK_THROWS_WITH(run.write(directory / "a.h5"), check::contains("is a directory"));
  }
  SECTION("a device in place of the file") {
    CHECK_THROWS_WITH(run.write("/dev/null"), check::contains("is a device, not a regular file"));
  }
  SECTION("a directory that may not be written to") {
    if (geteuid() == 0) return;  // root may write everywhere
    std::filesystem::permissions(directory.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK_THROWS_WITH(run.write(directory / "a.h5"), check::contains("Permission denied"));
    std::filesystem::permissions(directory.path(), std::filesystem::perms::owner_all);
  }
}

TEST_CASE("checking that a path can be written leaves it as it was") {
  const sample::Directory directory;
  results::check_writable(directory / "a.h5");
  CHECK(directory.entries().empty());
  put(directory / "a.h5", "an older file");
  results::check_writable(directory / "a.h5");
  CHECK(get(directory / "a.h5") == "an older file");
}

TEST_CASE("an outcome that cannot be read leaves the old file and no other") {
  const sample::Directory directory;
  const sample::Run run = sample::make_run();
  run.write(directory / "a.h5");
  const std::string before = get(directory / "a.h5");
  std::vector<results::Row> rows = run.rows();
  int asked = 0;  // once in the first pass; the second time numbers are being written
  rows[3].outcome = [&] {
    if (++asked == 2) throw base::Error("the journal is gone");
    return run.outcomes[3];
  };
  CHECK_THROWS_WITH(results::write(directory / "a.h5", run.description, rows, {run.expectations, {}}),
                    check::contains("the journal is gone"));
  CHECK(get(directory / "a.h5") == before);
  CHECK(directory.entries() == std::vector<std::string>{"a.h5"});
}

TEST_CASE("temporary files of dead writers go, those of the living and of others stay") {
  const sample::Directory directory;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string here = std::string("-") + host.data();
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  const std::string of_dead = "a.h5.tmp-" + std::to_string(dead) + here;
  const std::string of_dead_twice = "a.h5.tmp-" + std::to_string(dead) + ".2" + here;
  const std::string of_us = "a.h5.tmp-" + std::to_string(getpid()) + here;
  const std::string of_living = "a.h5.tmp-1" + here;
  const std::vector<std::string> of_others{"a.h5.tmp", "a.h5.tmp-mine", "b.h5.tmp-" + std::to_string(dead) + here};
  for (const std::string& name : {of_dead, of_dead_twice, of_us, of_living, std::string("a.h5.tmp-7-elsewhere")})
    put(directory / name, "half a file");
  for (const std::string& name : of_others) put(directory / name, "half a file");
  std::set<std::string> left{"a.h5",       of_us,        of_living,   "a.h5.tmp-7-elsewhere",
                             of_others[0], of_others[1], of_others[2]};
  sample::make_run().write(directory / "a.h5");
  std::vector<std::string> entries = directory.entries();
  CHECK(std::set<std::string>(entries.begin(), entries.end()) == left);
  CHECK_FALSE(results::read_output_content(directory / "a.h5").study_hash.empty());
  results::clear_leftovers(directory / "a.h5");
  left.erase(of_us), left.erase("a.h5.tmp-7-elsewhere");
  entries = directory.entries();
  CHECK(std::set<std::string>(entries.begin(), entries.end()) == left);
}

TEST_CASE("a link to a results file stays a link") {
  const sample::Directory directory;
  put(directory / "real.h5", "an older file");
  std::filesystem::create_symlink("real.h5", directory / "link.h5");
  sample::make_run().write(directory / "link.h5");
  CHECK(std::filesystem::is_symlink(directory / "link.h5"));
  CHECK(results::read_output_content(directory / "real.h5").study_hash == std::string(64, 'a'));
}

TEST_CASE("closing a file with an object still open fails") {
  const sample::Directory directory;
  const results::h5::Silence silence;
  results::h5::Handle file = results::h5::create_file(directory / "a.h5");
  const results::h5::Handle leaked = results::h5::create_group(file, "leaked");
  CHECK_THROWS_AS(file.close(), results::h5::Error);
}

TEST_CASE("errors quote HDF5's own reasons") {
  const sample::Directory directory;
  const results::h5::Silence silence;
  CHECK_THROWS_WITH(results::h5::create_file(directory / "nowhere/a.h5"),
                    check::contains("H5Fcreate") && check::contains("No such file or directory"));
  const results::h5::Handle file = results::h5::create_file(directory / "a.h5");
  CHECK_THROWS_WITH(results::h5::open_dataset(file, "beauty"),
                    check::contains("H5Dopen2") && check::contains("'beauty' doesn't exist"));
}

TEST_CASE("the study of a results file") {
  const sample::Directory directory;
  CHECK(results::read_output_content(directory / "a.h5").study_hash.empty());
  sample::make_run().write(directory / "a.h5");
  CHECK(results::read_output_content(directory / "a.h5").study_hash == std::string(64, 'a'));
  put(directory / "text.h5", "no HDF5 at all");
  CHECK_THROWS_WITH(results::read_output_content(directory / "text.h5").study_hash,
                    check::contains("text.h5") && check::contains("results file of poslab"));
  CHECK_THROWS_WITH(results::read_output_content(directory.path()).study_hash, check::contains("is a directory"));
  results::h5::create_file(directory / "other.h5").close();
  CHECK_THROWS_WITH(results::read_output_content(directory / "other.h5").study_hash,
                    check::contains("no results file of poslab"));
  {
    const results::h5::Handle file(H5Fopen((directory / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose,
                                   "H5Fopen");
    const results::h5::Handle version(H5Aopen(file, "schema_version", H5P_DEFAULT), H5Aclose, "H5Aopen");
    const int newer = 3;
    results::h5::check(H5Awrite(version, H5T_NATIVE_INT, &newer), "H5Awrite");
  }
  CHECK_THROWS_WITH(results::read_output_content(directory / "a.h5").study_hash,
                    check::contains("schema version 3") && check::contains("reads up to 2"));
}
