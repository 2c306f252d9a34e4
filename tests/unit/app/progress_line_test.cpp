// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/progress_line.hpp"
#include "poslab/data/outcome.hpp"

#include <string>

#include "catch.hpp"

using namespace poslab;

namespace {

std::string what_is_printed(bool terminal) {
  std::FILE* file = std::tmpfile();
  {
    app::ProgressLine progress(file, terminal);
    progress.started({{}, 0, 3, 0, 3});
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
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  REQUIRE(std::fread(text.data(), 1, text.size(), file) == text.size());
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("progress: what is done, what failed, how fast, and how long it will take by the operations that are left") {
  CHECK(app::progress_text({8, 0, 0, 0, 100, 0, false}, 0) == "0/8 cells");
  CHECK(app::progress_text({8, 4, 0, 0, 100, 25, false}, 2) == "4/8 cells, 2 cells/s, about 6.0 s left");
  CHECK(app::progress_text({8, 5, 2, 1, 100, 50, false}, 2) ==
        "5/8 cells, 1 skipped, 2 FAILED, 2 cells/s, about 2.0 s left");
  CHECK(app::progress_text({8, 1, 0, 1, 100, 0, false}, 2) == "1/8 cells, 1 skipped");
  CHECK(app::progress_text({8, 8, 0, 0, 100, 100, false}, 2) == "8/8 cells, 4 cells/s");
  CHECK(app::progress_text({8, 4, 0, 0, 100, 25, true}, 2) == "4/8 cells, 2 cells/s, stopping");
}

TEST_CASE("without a terminal progress is plain lines, and failures are told at once") {
  const std::string text = what_is_printed(false);
  CHECK_THAT(text, check::starts_with("failed: uniqueness of rope length=8: encode is nan at [0, 1]\n"));
  CHECK_THAT(text, check::contains("3/3 cells, 1 skipped, 1 FAILED"));
  CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("on a terminal the failure has a line of its own") {
  CHECK_THAT(what_is_printed(true), check::contains("failed: uniqueness of rope length=8: encode is nan at [0, 1]\n"));
}
