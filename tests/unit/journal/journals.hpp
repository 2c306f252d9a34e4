// SPDX-License-Identifier: Apache-2.0
// What the tests of journals share: a scratch directory, cells and outcomes with known numbers, killed children.
#pragma once

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>

#include "catch.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/journal.hpp"
#include "poslab/journal/journal_status.hpp"
#include "poslab/journal/resume_plan.hpp"
#include "scratch.hpp"

namespace journals {

using namespace poslab;
namespace fs = std::filesystem;

using check::Scratch;

inline data::Cell cell(int number) {
  data::Cell cell;
  cell.id = "cell-" + std::to_string(number);
  cell.experiment = "uniqueness";
  cell.variant.label = "rope";
  cell.repeat = number;
  return cell;
}

inline data::Outcome outcome(double value) {
  data::Outcome outcome;
  outcome.record.scalar("min_distance", value);
  outcome.seconds = 0.5;
  return outcome;
}

inline data::PackedOutcome packed(double value) { return data::PackedOutcome(outcome(value)); }

inline journal::Origin from(const std::string& plugin_hash) { return {plugin_hash, "1.0", "2.0"}; }

inline double value_of(const data::Outcome& outcome) {
  return outcome.record.measurement("min_distance")->values.at(0);
}

inline void fill(const fs::path& path, int cells) {
  journal::Journal journal(path);
  for (int i = 0; i < cells; ++i) journal.add(0, cell(i), packed(i), from("hash"));
}

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// Whatever happened to a journal of `cells` cells: what it still says is right, and what it lacks is said.
inline void check_right_or_said(const fs::path& path, std::size_t cells, bool and_add) {
  journal::Journal journal(path);
  CHECK(journal.known().size() <= cells);
  if (journal.known().size() < cells) CHECK(!journal.notices().empty());
  for (const auto& [id, known] : journal.known()) {
    CHECK("cell-" + std::to_string(int(value_of(journal.outcome(id)))) == id);
    CHECK(known.origin.plugin_hash == "hash");
    CHECK(known.status == data::Status::ok);
  }
  if (!and_add) return;
  journal.add(0, cell(0), packed(0), from("hash"));
  journal.commit();
  CHECK(value_of(journal.outcome("cell-0")) == 0);
}

// Runs `what` in a child that is killed once it has said that it is ready.
template <class What>
inline void in_killed_child(const What& what) {
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

inline void execute(
    const fs::path& path, const std::string& text, const std::function<void()>& before_closing = [] {}) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  CHECK(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  before_closing();
  sqlite3_close(handle);
}

}  // namespace journals
