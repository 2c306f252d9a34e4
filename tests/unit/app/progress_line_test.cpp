// SPDX-License-Identifier: Apache-2.0
#include "text/progress_line.hpp"
#include "poslab/data/outcome.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <thread>

#include "catch.hpp"
#include "terminal/styled_text.hpp"

using namespace poslab;

namespace {

std::string text_of(std::FILE* file) {
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

// While it is still written.
std::string so_far(std::FILE* file) {
  std::string text(1 << 16, ' ');
  const ssize_t count = pread(fileno(file), text.data(), text.size(), 0);
  return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(0, count)));
}

std::string what_is_printed(bool terminal) {
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, terminal);
    progress.started({{}, 0, 5, 2, 3});
    data::Cell cell;
    cell.experiment = "uniqueness";
    cell.variant.label = "rope";
    cell.axes = {{"length", std::int64_t{8}}};
    run::OutcomeSummary ok, failed, skipped;
    failed.status = data::Status::failed;
    failed.message = "encode is nan at [0, 1]";
    skipped.status = data::Status::skipped;
    progress.finished(cell, ok, 1);
    progress.finished(cell, failed, 1);
    progress.finished(cell, skipped, 1);
  }
  return text_of(file);
}

}  // namespace

TEST_CASE("without a terminal progress is plain lines, and failures are told at once") {
  const std::string text = what_is_printed(false);
  CHECK_THAT(text, check::contains("failed: uniqueness of rope length=8: encode is nan at [0, 1]\n"));
  CHECK_THAT(text, check::contains("5/5 cells, 2 kept, 1 skipped, 1 FAILED; 0 s\n"));
  CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("cells that go on from checkpoints are told of before the first one starts") {
  const auto said = [](const run::RunStart& start) {
    std::FILE* file = std::tmpfile();
    app::ProgressLine(file, false).started(start);
    return text_of(file);
  };
  CHECK_THAT(said({{}, 0, 5, 0, 3, 2}), check::starts_with("no cell was finished, but 2 of 5 cells go on from their "
                                                           "checkpoints\n"));
  CHECK_THAT(said({{}, 0, 5, 0, 3, 1}), check::starts_with("no cell was finished, but 1 of 5 cells goes on from its "
                                                           "checkpoint\n"));
  CHECK_THAT(said({{}, 0, 5, 2, 3, 1}), check::starts_with("2 of 5 cells are kept from an earlier run\n1 of 5 cells "
                                                           "goes on from its checkpoint\n"));
  CHECK(said({{}, 0, 5, 0, 3}).find("checkpoint") == std::string::npos);
  CHECK(said({{}, 0, 5, 0, 3}).find("not known") == std::string::npos);
  CHECK_THAT(said({{}, 0, 5, 0, 3, 0, 4, "it threw"}), check::contains("4 of 5 cells") && check::contains("it threw"));
}

TEST_CASE("on a terminal the failure has a line of its own") {
  CHECK_THAT(what_is_printed(true), check::contains("failed: uniqueness of rope length=8: encode is nan at [0, 1]\n"));
}

TEST_CASE("on a terminal the line names what runs, fits, and obeys no name, colours only where they are wanted") {
  const auto colours = GENERATE(app::Colours::none, app::Colours::many);
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, true, colours, 80);
    progress.started({{}, 0, 2, 0, 2});
    data::Cell cell;
    cell.id = "a";
    cell.experiment = "uniqueness";
    cell.variant.label = "rope\x1b[2J" + std::string(100, 'x');
    progress.starting(cell);
    run::OutcomeSummary failed;
    failed.status = data::Status::failed;
    progress.finished({}, failed, 1);
    for (int wait = 0; wait < 1000 && so_far(file).find("uniqueness of rope") == std::string::npos; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const std::string text = text_of(file);
  CHECK_THAT(text, check::contains("left; uniqueness of rope"));
  CHECK(text.find("\x1b[2J") == std::string::npos);
  CHECK((text.find("m1 FAILED\x1b[0m") != std::string::npos) == (colours == app::Colours::many));
  const std::size_t last = text.rfind("\r\x1b[K[", text.rfind("running"));
  if (colours == app::Colours::none) CHECK(text.find('\r', last + 1) - last - 4 <= 80);
}

TEST_CASE("a cell that has come back no longer runs, though its outcome is not on disk yet") {
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, true, app::Colours::none, 80);
    progress.started({{}, 0, 9, 0, 9});
    for (const char* id : {"a", "b", "c", "d", "e"}) {
      data::Cell cell;
      cell.id = id;
      progress.starting(cell);
      if (*id < 'd') progress.executed(cell);
    }
    for (int wait = 0; wait < 1000 && so_far(file).find(" running") == std::string::npos; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK_THAT(text_of(file), check::contains("; 2 running"));
}

TEST_CASE("on a terminal the line says how far a long cell is, and fits") {
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, true, app::Colours::none, 80);
    progress.started({{}, 0, 2, 0, 2});
    data::Cell cell;
    cell.id = "a";
    cell.experiment = "language-model";
    cell.variant.label = "rope";
    cell.axes = {{"train_length", std::int64_t{64}}};
    progress.progressed(cell, {799, 2000, 0, "too early"}, 1);
    progress.starting(cell);
    progress.progressed(cell, {1750, 2000, 0, "step 1750 of 2000, loss 1.79"}, 1);
    for (int wait = 0; wait < 1000 && so_far(file).find("loss 1.79") == std::string::npos; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const std::string text = text_of(file);
  CHECK_THAT(text, check::contains("s; step 1750 of 2000, loss 1.79\r"));
  CHECK(text.find("too early") == std::string::npos);
  const std::size_t last = text.rfind("\r\x1b[K[");
  CHECK(text.find('\r', last + 1) - last - 4 <= 80);
}

TEST_CASE("on a terminal what stays above the line is broken where the terminal ends") {
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, true, app::Colours::none, 40);
    progress.started({{}, 0, 2, 0, 2});
    progress.stopping(2);
    run::OutcomeSummary failed;
    failed.status = data::Status::failed;
    failed.message = "encode gave what is no number at [0, 1] of the second layer";
    progress.finished({}, failed, 1);
  }
  std::istringstream lines(text_of(file));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const std::size_t begin = line.rfind("\x1b[K");
    CHECK(app::display_width(begin == std::string::npos ? line : line.substr(begin + 3)) <= 40);
  }
  CHECK(count >= 5);
}
