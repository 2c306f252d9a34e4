// SPDX-License-Identifier: Apache-2.0
// What extrapolation answers, of records made by hand: trained on 4 positions, measured up to 15.
#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"

using namespace poslab;
using data::Mark;
using data::Value;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// One repeat; curves over the positions 0, 3, 7, 15.
struct HandMade {
  std::vector<double> positions{0, 3, 7, 15}, defined{1, 1, 1, 1}, untrained{0, 0, 0, 0}, novelty{0, 0, 1.5, 3.07},
      context_change{0, 0, 0};
  double equal_drift = -1.4;
  bool attention = true;

  data::Record record() const {
    data::Record record;
    record.coordinate("position", positions);
    record.curve("defined", {"position"}, defined);
    record.curve("untrained", {"position"}, untrained);
    record.curve("novelty", {"position"}, novelty);
    record.coordinate("multiple", {1, 2, 4});
    record.curve("context_change", {"multiple"}, context_change);
    record.scalar("unseen_phase", 0.5);
    if (!attention) return record;
    std::vector<double> equal(positions.size(), 0.0);
    equal.back() = equal_drift;
    record.curve("equal_drift", {"position"}, equal);
    return record;
  }
};

data::Answer answer_of(const std::vector<HandMade>& repeats, std::int64_t points = 32) {
  const experiments::Experiment& experiment = experiments::find_experiment("extrapolation");
  const data::Values axes =
      cells::all_axes({"extrapolation", "none", {{"train_length", Value(std::int64_t{4})}, {"points", Value(points)}}});
  std::vector<data::Record> records;
  for (const HandMade& repeat : repeats) records.push_back(repeat.record());
  experiments::Point point{experiment.info, axes, {}};
  for (const data::Record& record : records) point.repeats.push_back(&record);
  return cells::explained(experiment, experiment.answer(point));
}

}  // namespace

TEST_CASE("extrapolation answers with how new codes are and how equal tokens drift, and praises neither") {
  HandMade a, b, c;
  b.equal_drift = -1.3;
  c.equal_drift = -1.5;
  const data::Answer answer = answer_of({a, b, c});
  CHECK(answer.mark == Mark::none);
  CHECK(numbers_text(answer) == "3.1, drift -1.40 ± 0.06 sd");
  CHECK_THAT(answer.sentence, check::contains("up to 3.07 steps of training"));
  CHECK_THAT(answer.sentence, check::contains("0.5 of its rotating planes never complete a circle"));
  CHECK_THAT(answer.sentence, check::contains("have drifted by -1.40 ± 0.06 sd"));
  CHECK_THAT(answer.sentence, check::contains("trained on 4 positions, up to position 15, 3 repeats, float64"));
}

TEST_CASE("extrapolation: digits follow the error, and what may be chance keeps its value") {
  HandMade a, b, c;
  a.equal_drift = -93.1, b.equal_drift = -93.3, c.equal_drift = -93.2;
  a.novelty = b.novelty = c.novelty = {0, 0, 4, 1793};
  CHECK(numbers_text(answer_of({a, b, c})) == "1793, drift -93.20 ± 0.06 sd");
  a.equal_drift = 10, b.equal_drift = 20, c.equal_drift = 18;
  CHECK(numbers_text(answer_of({a, b, c})) == "1793, drift 16 ± 3 sd");
  a.equal_drift = 0.2, b.equal_drift = -0.1, c.equal_drift = 0.1;
  CHECK(numbers_text(answer_of({a, b, c})) == "1793, drift 0.07 ± 0.09 sd");
  CHECK_THAT(answer_of({a, b, c}).sentence, check::contains("cannot be told from 0"));
  a.equal_drift = -45, b.equal_drift = -24, c.equal_drift = -15;
  CHECK(numbers_text(answer_of({a, b, c})) == "1793, drift -28 ± 9 sd");
  CHECK_THAT(answer_of({a, b, c}).sentence, check::contains("cannot be told from 0"));
  a.equal_drift = 1e-14, b.equal_drift = 0, c.equal_drift = -1e-15;
  CHECK(numbers_text(answer_of({a, b, c})) == "1793, drift 0");
}

TEST_CASE("extrapolation: steps of codes that are drawn have their error") {
  HandMade a, b, c;
  a.novelty[3] = 6000, b.novelty[3] = 7000, c.novelty[3] = 8000;
  CHECK(numbers_text(answer_of({a, b, c})) == "7000 ± 600, drift -1.4 sd");
  a.context_change[2] = 9000, b.context_change[2] = 9100, c.context_change[2] = 9200;
  CHECK(numbers_text(answer_of({a, b, c})) == "moves 9100 ± 60, drift -1.4 sd");
}

TEST_CASE("extrapolation: nothing new is a yes, and no promise") {
  HandMade t5;
  t5.novelty = {0, 0, 0, 0}, t5.equal_drift = 0.0119;
  CHECK(answer_of({t5}).mark == Mark::yes);
  CHECK(numbers_text(answer_of({t5})) == "0, drift 0.0119 sd");
  CHECK_THAT(answer_of({t5}).sentence, check::contains("not to say that a model generalises"));
}

TEST_CASE("extrapolation: where it ends, or was never trained") {
  HandMade table;
  table.defined = {1, 1, 1, 0}, table.novelty[3] = missing, table.untrained = {0, 0, 1, missing};
  CHECK(answer_of({table}).mark == Mark::no);
  CHECK(numbers_text(answer_of({table})) == "unseen by 7");
  CHECK_THAT(answer_of({table}).sentence, check::contains("from position 7 on"));
  CHECK_THAT(answer_of({table}).sentence, check::contains("position 15 is not served"));
  table.untrained = {0, 0, 0, missing};
  CHECK(numbers_text(answer_of({table}, 2)) == "ends by 15");  // 14 was not looked at
  CHECK_THAT(answer_of({table}, 2).sentence, check::contains("not served (one position in 2 is measured)"));
  table.untrained = {0, 1, 0, missing};  // within the trained length nothing is beyond
  CHECK(numbers_text(answer_of({table})) == "ends by 15");
  table.positions = {0, 3, 14, 15};
  CHECK(numbers_text(answer_of({table}, 2)) == "ends at 15");
  CHECK_THAT(answer_of({table}, 2).sentence, check::contains("position 15 is not served (trained on"));
}

TEST_CASE("extrapolation: codes that move with the context are not called known") {
  HandMade index;
  index.novelty = {0, 0, 0.4, 0.5}, index.context_change = {0, 16, 129}, index.equal_drift = 0;
  CHECK(answer_of({index}).mark == Mark::none);
  CHECK(numbers_text(answer_of({index})) == "moves 129, drift 0");
  index.novelty = {0, 0, 0, 0};
  CHECK(answer_of({index}).mark == Mark::none);
  index.context_change = {0, 0.5, 0.999};
  CHECK(numbers_text(answer_of({index})) == "moves 1, drift 0");
  index.novelty = {0, 0, 4, 13.2};  // as xPos: what is new matters more
  CHECK(numbers_text(answer_of({index})) == "13, drift 0");
  CHECK_THAT(answer_of({index}).sentence, check::contains("move by up to 1 steps"));
}

TEST_CASE("extrapolation: what was not asked, or not measured") {
  HandMade within;
  within.positions = {0, 1, 2, 3};
  CHECK(answer_of({within}).numbers.empty());  // says nothing, and so no other point is contradicted
  CHECK_THAT(answer_of({within}).sentence, check::contains("no position beyond the trained length was asked for"));
  HandMade codes_alone;
  codes_alone.attention = false;
  CHECK(numbers_text(answer_of({codes_alone})) == "3.1");
  cells::Cell patches{"extrapolation", "rope-2d", {{"points", Value(std::int64_t{4})}}, {}, {16, 2, 16}};
  patches.placement = cells::grid({4, 4});
  CHECK(cells::answer_of(patches).numbers.size() == 1);  // no contexts, and no drift
  HandMade one_code;
  one_code.novelty = {0, 0, missing, missing};
  CHECK(numbers_text(answer_of({one_code})) == "new, drift -1.4 sd");
  CHECK(experiments::find_experiment("extrapolation").column.legend.size() <= 90);
}
