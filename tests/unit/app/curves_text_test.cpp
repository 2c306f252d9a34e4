// SPDX-License-Identifier: Apache-2.0
#include "text/curves_text.hpp"

#include <cmath>

#include "catch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

results::StoredCell cell_of(const std::string& label, int repeat, const std::vector<double>& x,
                            const std::vector<double>& y, const std::string& task = "copy") {
  results::StoredCell stored;
  stored.cell.experiment = "training";
  stored.cell.variant.label = label;
  stored.cell.repeat = repeat;
  stored.cell.axes.set("d_model", std::string("64"));
  stored.cell.axes.set("task", task);
  stored.curves.push_back({"loss", x, y});
  return stored;
}

results::StoredRun run_of(std::vector<results::StoredCell> cells) {
  results::StoredRun run;
  run.cells = std::move(cells);
  data::ExperimentInfo& info = run.experiments.emplace_back();
  info.id = "training";
  data::MeasureInfo& loss = info.measures.emplace_back();
  loss.name = "loss", loss.unit = "nat", loss.sentence = "mean loss", loss.dimensions = {"step"};
  info.measures.emplace_back().name = "steps";
  return run;
}

std::vector<double> ramp(double first, double last, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first + (last - first) * i / (count - 1));
  return values;
}

}  // namespace

TEST_CASE("curves: blocks rise with their values, and what is no number is a gap") {
  CHECK(app::sparkline(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}, 0, 8, 8) == "▁▂▃▄▅▆▇█");
  CHECK(app::sparkline(std::vector<double>{0, 2, 4, 6}, 0, 8, 2) == "▂▆");  // means of two
  CHECK(app::sparkline(std::vector<double>{0, NAN, 8}, 0, 8, 48) == "▁ █");
  CHECK(app::sparkline(std::vector<double>{3, 3}, 3, 3, 2) == "▁▁");
  CHECK(app::sparkline(std::vector<double>{-1, INFINITY}, 0, 8, 2) == "▁█");
}

TEST_CASE("curves: few coordinates are numbers, means over repeats") {
  const auto run = run_of(
      {cell_of("rope", 0, {8, 16}, {1, 2}), cell_of("rope", 1, {8, 16}, {3, NAN}), cell_of("none", 0, {8}, {5})});
  CHECK(app::curves_text(run, {"loss"}, 80) ==
        "\ntraining: loss, by step (nat): mean loss\n"
        "        8  16\n"
        "  rope  2   2\n"
        "  none  5   –\n"
        "  – no number there\n");
}

TEST_CASE("curves: many are blocks on one scale, with what varies beside the variant") {
  const std::vector<double> x = ramp(10, 200, 20);
  const auto run = run_of({cell_of("rope", 0, x, ramp(4, 0, 20)), cell_of("rope", 0, x, ramp(4, 4, 20), "reverse")});
  CHECK(app::curves_text(run, {"loss"}, 80) ==
        "\ntraining: loss, by step (nat): mean loss\n"
        "  step 10 to 200\n"
        "           task  first                        last\n"
        "  rope     copy      4  ███▇▇▆▆▆▅▅▄▄▃▃▃▂▂▁▁▁     0\n"
        "  rope  reverse      4  ████████████████████     4\n"
        "  blocks from 0 to 4\n");
}

TEST_CASE("curves: a row of another size does not flatten the others: each has its own scale, and says it") {
  const std::vector<double> more = ramp(10, 90, 9);
  const auto run = run_of({cell_of("index", 0, more, ramp(0, 9000, 9)), cell_of("rope", 0, more, ramp(4, 0, 9)),
                           cell_of("none", 0, more, ramp(0, 3, 9)), cell_of("level", 0, more, ramp(2, 2, 9))});
  CHECK(app::curves_text(run, {"loss"}, 100) ==
        "\ntraining: loss, by step (nat): mean loss\n"
        "  step 10 to 90\n"
        "         first             last  lowest  highest\n"
        "  index      0  ▁▂▃▄▅▆▇██  9000       0     9000\n"
        "  rope       4  ██▇▆▅▄▃▂▁     0       0        4\n"
        "  none       0  ▁▂▃▄▅▆▇██     3       0        3\n"
        "  level      2  ▁▁▁▁▁▁▁▁▁     2       2        2\n"
        "  blocks of each row from its lowest to its highest: heights of two rows cannot be compared\n");
}

TEST_CASE("curves: one that ends early is drawn so, beside others of other coordinates") {
  const auto run = run_of({cell_of("rope", 0, ramp(0, 18, 10), ramp(0, 8, 10)),
                           cell_of("learned", 0, {0, 2, 4}, {8, 8, 8}), cell_of("late", 0, {15, 16}, {0, 8})});
  CHECK_THAT(app::curves_text(run, {"loss"}, 80), check::contains("  step 0 to 18\n") &&
                                                      check::contains("  rope         0  ▁▁▂▃▄▅▆▇▇██     8\n") &&
                                                      check::contains("  learned      8  ███             8\n") &&
                                                      check::contains("  late         0          ▁█      8\n"));
}

TEST_CASE("curves: a curve without a finite number is drawn all the same") {
  const std::vector<double> x = ramp(1, 9, 9);
  const auto run = run_of({cell_of("rope", 0, x, std::vector<double>(9, INFINITY))});
  CHECK_THAT(app::curves_text(run, {"loss"}, 80), check::contains("rope    inf  ▁▁▁▁▁▁▁▁▁   inf"));
}

TEST_CASE("curves: a name that no experiment measures over one dimension is refused with those that there are") {
  const auto run = run_of({cell_of("rope", 0, {8, 16}, {1, 2})});
  for (const char* name : {"lots", "steps"}) {
    const base::Error error = check::thrown([&] { static_cast<void>(app::curves_text(run, {name}, 80)); });
    CHECK(error.kind == check::Kind::argument);
    CHECK_THAT(error.what(), check::contains(std::string("is called ") + "\"" + name) ||
                                 check::contains(std::string("is called ") + name));
  }
}
