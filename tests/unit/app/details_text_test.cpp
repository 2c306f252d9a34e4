// SPDX-License-Identifier: Apache-2.0
// Every measure of a run as a table.
#include "text/summary.hpp"

#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace poslab;

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t wide = 120;  // characters

// A study of one experiment with a scalar, a curve over an inner axis, and a curve over positions, which is not shown.
struct Measured {
  Measured() {
    data::ExperimentInfo& info = catalogue.experiments.emplace_back();
    info.id = "uniqueness";
    info.title = "Are codes different?";
    info.axes.resize(2);
    info.axes[0].name = "length";
    info.axes[1].name = "noise";
    info.axes[1].inner = true;
    info.measures.resize(3);
    info.measures[0].name = "min_distance";
    info.measures[1].name = "accuracy";
    info.measures[1].dimensions = {"noise"};
    info.measures[2].name = "distance";
    info.measures[2].dimensions = {"position"};
  }
  run::OutcomeSummary& add(const std::string& label, std::int64_t length, const std::vector<double>& last) {
    data::Cell& cell = cells.emplace_back();
    cell.experiment = "uniqueness";
    cell.variant.label = label;
    cell.axes = {{"d_model", std::int64_t{64}}, {"length", length}, {"noise", std::vector<double>{0.5, 2}}};
    outcomes.emplace_back(run::OutcomeSummary{data::Status::ok, "", last, {absent, 2, absent}});
    return *outcomes.back();
  }
  std::string text(std::size_t width = wide) const {
    return app::details_text({"", "", cells, catalogue, outcomes, {}, {}, {}, {}}, {"uniqueness"}, width);
  }

  data::Catalogue catalogue;
  std::vector<data::Cell> cells;
  run::OutcomeSummaries outcomes;
};

}  // namespace

TEST_CASE("details: schemes down, what varies and what was measured across") {
  Measured m;
  m.add("rope", 8, {0.25, 1, 7});
  m.add("rope", 16, {1, 0.123456, 7});
  CHECK(m.text() ==
        "\nuniqueness: Are codes different?\n  d_model=64\n"
        "  scheme  length  min_distance  accuracy @noise=2\n"
        "  rope         8          0.25                  1\n"
        "  rope        16             1             0.1235\n");
}

TEST_CASE("details: where lists end at different values, each line says at which") {
  Measured m;
  m.add("rope", 8, {0.25, 1, 7});
  m.add("rope", 16, {1, 0.125, 7}).at[1] = 0.5;
  CHECK_THAT(m.text(), check::contains("  scheme  length  min_distance  accuracy @noise\n"
                                       "  rope         8          0.25             1 @2\n"
                                       "  rope        16             1       0.125 @0.5\n"));
}

TEST_CASE("details: repeats are one line, with their mean and its standard error") {
  Measured m;
  m.add("rope", 8, {1, 5, 0});
  m.add("rope", 8, {2, 5, 0});
  m.add("rope", 8, {3, absent, 0});
  CHECK_THAT(m.text(), check::contains("  rope       2.0 ± 0.6                  5\n"));
}

TEST_CASE("details: a measure without any value has no column") {
  Measured m;
  m.add("rope", 8, {absent, 5, 0});
  m.add("none", 8, {absent, absent, 0});
  CHECK(m.text().find("min_distance") == std::string::npos);
  CHECK_THAT(m.text(), check::contains("  none                    –\n  – no value\n"));
}

TEST_CASE("details: what was not measured is named with its reason, and untrained weights with a star") {
  Measured m;
  for (const char* label : {"a", "b"}) {
    run::OutcomeSummary& skipped = m.add(label, 8, {});
    skipped.status = data::Status::skipped;
    skipped.message = "it ends at 4";
  }
  m.add("learned", 8, {1, 1, 1}).weights = data::WeightsState::untrained;
  const std::string text = m.text();
  CHECK_THAT(text, check::contains("  a and b: it ends at 4\n"));
  CHECK_THAT(text, check::contains("  learned *  "));
  CHECK_THAT(text, check::contains("  * untrained weights, as drawn at initialisation\n"));
}

TEST_CASE("details: no line is wider than asked for, whatever the title, the axes and the reasons") {
  Measured m;
  m.catalogue.experiments[0].title = "Are codes different, and how far are they from each other where noise is added?";
  for (const char* axis : {"train_length", "noise_of_queries", "evaluated_length", "repetitions"})
    m.catalogue.experiments[0].axes.emplace_back().name = axis;
  m.add("rope", 8, {1, 1, 1});
  for (int i = 0; i < 12; ++i) {
    run::OutcomeSummary& skipped = m.add("scheme-" + std::to_string(i), 8, {});
    skipped.status = data::Status::skipped;
    skipped.message = "its positions end at 4, and the longest context that was asked for has 1024 of them";
  }
  for (data::Cell& cell : m.cells)
    for (const char* axis : {"train_length", "noise_of_queries", "evaluated_length", "repetitions"})
      cell.axes.set(axis, std::int64_t{1024});
  std::istringstream lines(m.text(80));
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("details: of many points each scheme shows the last that was measured") {
  Measured m;
  for (int length = 1; length <= 11; ++length) m.add("rope", length, {1.0 * length, 0, 0});
  for (int length = 1; length <= 10; ++length) m.add("none", length, {1.0 * length, 0, 0});
  m.add("none", 11, {}).status = data::Status::failed;
  const std::string text = m.text();
  CHECK_THAT(text, check::contains("(the last of each scheme's points; the file has all 22)"));
  CHECK_THAT(text, check::contains("  rope        11            11"));
  CHECK_THAT(text, check::contains("  none        10            10"));
  CHECK(text.find("  rope         1 ") == std::string::npos);
}

TEST_CASE("details: of an experiment that nobody describes there is a sentence, and the others are shown") {
  Measured m;
  m.add("rope", 8, {1, 1, 1});
  m.add("none", 8, {1, 1, 1});
  m.cells.back().experiment = "unheard-of";
  const std::string text =
      app::details_text({"", "", m.cells, m.catalogue, m.outcomes, {}, {}, {}, {}}, {"unheard-of", "uniqueness"}, wide);
  CHECK_THAT(text, check::starts_with("\nunheard-of\n  is not described here, so its measures are not shown\n"));
  CHECK_THAT(text, check::contains("  rope "));
}

TEST_CASE("details: an experiment of curves alone says so in place of a table without columns") {
  Measured m;
  m.catalogue.experiments.front().measures.erase(m.catalogue.experiments.front().measures.begin(),
                                                 m.catalogue.experiments.front().measures.begin() + 2);
  m.add("rope", 8, {7});
  CHECK(m.text() ==
        "\nuniqueness: Are codes different?\n  d_model=64 length=8\n"
        "  all that it measures are curves: the notebook draws them\n");
}
