// SPDX-License-Identifier: Apache-2.0
// What norm-preservation says of made-up records, and of schemes whose answer is known.
#include "answers.hpp"
#include "catch.hpp"
#include "shipped.hpp"

namespace {

using poslab::data::Answer;
using poslab::data::Mark;
using poslab::data::Record;
using poslab::data::Value;

const cells::Cell cell{"norm-preservation", "rope", {{"length", Value(std::int64_t{2})}}};

Record record_of(const std::vector<double>& least, const std::vector<double>& mean, const std::vector<double>& most,
                 double isometry_error) {
  Record record;
  record.coordinate("position", {0, 1});
  record.curve("ratio_min", {"position"}, least);
  record.curve("ratio_mean", {"position"}, mean);
  record.curve("ratio_max", {"position"}, most);
  record.scalar("isometry_error", isometry_error);
  return record;
}

}  // namespace

TEST_CASE("norms: kept is rounding, in the scalar type of the cell") {
  const Record record = record_of({1 - 3e-15, 1}, {1, 1}, {1, 1 + 3e-15}, 5e-15);
  const Answer answer = cells::answer_to(cell, {record});
  CHECK(answer.mark == Mark::yes);
  CHECK(answer.numbers.empty());
  CHECK_THAT(answer.sentence, check::contains("5e-15 of the norms, which is rounding (N = 2, float64, 1 repeat)"));
  cells::Cell in_float = cell;
  in_float.axes.set("dtype", Value("float32"));
  const Record rounded = record_of({1 - 1e-7, 1}, {1, 1}, {1, 1 + 1e-7}, 2e-7);
  CHECK(cells::answer_to(in_float, {rounded}).mark == Mark::yes);
  CHECK(cells::answer_to(cell, {rounded}).mark == Mark::no);
  CHECK(numbers_text(cells::answer_to(cell, {record_of({1, 1}, {1, 1}, {1, 1}, 5e-14)})) == "to 5e-14");
  // A float32 cell cannot tell what is not ten times its tolerance.
  const Answer unclear = cells::answer_to(in_float, {record_of({1, 1}, {1, 1}, {1, 1}, 3e-6)});
  CHECK(unclear.mark == Mark::cannot_tell);
  CHECK(numbers_text(unclear) == "to 3e-06");
}

TEST_CASE("norms: one factor at every position is partly") {
  const Answer answer = cells::answer_to(cell, {record_of({1.25, 1.25}, {1.25, 1.25}, {1.25, 1.25 + 4e-16}, 0.5625)});
  CHECK(answer.mark == Mark::partly);
  CHECK(numbers_text(answer) == "x 1.25");
}

TEST_CASE("norms: lengths that stay while angles do not are no factor of 1") {
  const Answer turned = cells::answer_to(cell, {record_of({1, 1}, {1, 1}, {1, 1}, 0.4)});
  CHECK(turned.mark == Mark::no);
  CHECK(numbers_text(turned) == "products 0.4");
  CHECK(cells::answer_to(cell, {record_of({1.25, 1.25}, {1.25, 1.25}, {1.25, 1.25}, 0.8)}).mark == Mark::no);
}

TEST_CASE("norms: a mean near 1 does not hide what single vectors become") {
  const Answer answer = cells::answer_to(cell, {record_of({1, 0.54}, {1, 0.987}, {1, 1.36}, 0.9)});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "x 0.54, up to 1.36");
  CHECK_THAT(answer.sentence, check::contains("become 0.54 to 1.36 of") && check::contains("by -0.013 of themselves"));
  cells::Cell jepa{"norm-preservation", "v-jepa-2", {}, {}, {128, 8, 256}};
  jepa.placement = cells::grid({4, 8, 8});
  const Answer of_jepa = cells::answer_of(jepa);
  REQUIRE(of_jepa.numbers.size() == 2);
  CHECK(of_jepa.numbers[0].value < 0.8);
  CHECK(of_jepa.numbers[1].value > 1.2);
}

TEST_CASE("norms: a factor near 1 is told by how near, not as 1, and is no cross where float32 cannot tell it") {
  const auto said = [](double factor) {
    return cells::answer_to(cell, {record_of({factor, factor}, {factor, factor}, {factor, factor}, 2 * (factor - 1))});
  };
  CHECK(said(1 + 1e-7).mark == Mark::partly);
  CHECK(numbers_text(said(1 + 1e-7)) == "x 1.0000001");
  const Answer nearly =
      cells::answer_to(cell, {record_of({1, 1 - 5.7e-12}, {1, 1 - 5.7e-12}, {1, 1 - 5.7e-12}, 1e-12)});
  CHECK(nearly.mark == Mark::partly);
  CHECK(numbers_text(nearly) == "to 6e-12");
}

TEST_CASE("norms: the side and the position that are farthest from 1, where queries grow and keys shrink") {
  Record record = record_of({1, 0.8}, {1, 1.01}, {1, 1.2}, 0.4);
  record.curve("ratio_queries", {"position"}, {1, 1.17});
  record.curve("ratio_keys", {"position"}, {1, 0.8});
  const Answer answer = cells::answer_to(cell, {record});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "x 0.8, up to 1.2");
  CHECK_THAT(answer.sentence, check::contains("those of keys change at position 1 by -0.2 of"));
  cells::Cell xpos{"norm-preservation", "xpos", {{"length", Value(std::int64_t{256})}}, {}};
  const Answer of_xpos = cells::answer_of(xpos);
  CHECK(of_xpos.mark == Mark::no);
  CHECK(of_xpos.numbers.at(0).value < 0.9);
  CHECK(of_xpos.numbers.at(1).value > 1.1);
  const cells::Answer measured = cells::run(xpos);
  for (std::size_t p = 0; p < 256; ++p)
    CHECK(measured.curve("ratio_mean")[p] ==
          check::Approx((measured.curve("ratio_queries")[p] + measured.curve("ratio_keys")[p]) / 2).epsilon(1e-14));
  CHECK_FALSE(cells::run({"norm-preservation", "sinusoidal"}).has("ratio_queries"));
}

TEST_CASE("norms: of values and outputs, too, where a scheme transforms them") {
  const cells::Answer both = cells::run({"norm-preservation", "value-rope"}),
                      values = cells::run({"norm-preservation", "value-rope", {}, {{"logits", Value(false)}}}),
                      keys = cells::run({"norm-preservation", "rope"});
  for (const char* of_side : {"ratio_values", "ratio_outputs"}) {
    REQUIRE(both.has(of_side));
    for (const double ratio : both.curve(of_side)) CHECK(std::abs(ratio - 1) <= 1e-14);
    CHECK(values.has(of_side));
    CHECK_FALSE(keys.has(of_side));
  }
  CHECK_FALSE(values.has("ratio_queries"));
  Record record = record_of({1, 0.7}, {1, 0.9}, {1, 1}, 0.4);
  record.curve("ratio_queries", {"position"}, {1, 1});
  record.curve("ratio_keys", {"position"}, {1, 1});
  record.curve("ratio_outputs", {"position"}, {1, 0.7});
  const Answer answer = cells::answer_to(cell, {record});
  CHECK(numbers_text(answer) == "x 0.7, up to 1");
  CHECK_THAT(answer.sentence, check::contains("those of outputs change at position 1 by -0.3 of"));
}

TEST_CASE("norms: else the factor at the worst position, with the error of repeats") {
  const Answer answer = cells::answer_to(
      cell, {record_of({1, 1.1}, {1.1, 1.3}, {1.2, 1.5}, 0.4), record_of({1, 1.1}, {1.2, 1.4}, {1.3, 1.6}, 0.5)});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "x 1, up to 1.6");
  CHECK_THAT(answer.sentence, check::contains("at position 1 by 0.35 ± 0.05 of themselves") &&
                                  check::contains("become 1 to 1.6 of what they were"));
}

TEST_CASE("norms in float32 are kept where they are in float64, by every scheme") {
  int compared = 0;
  for (const std::string& id : shipped_schemes()) {
    cells::Cell every{"norm-preservation", id, {{"length", Value(std::int64_t{300})}}, {}};
    every.model = {32, 4, 512};
    const Answer in_double = cells::answer_of(every);
    every.axes.set("dtype", Value("float32"));
    CAPTURE(every.scheme, in_double.sentence);
    CHECK(in_double.mark == cells::answer_of(every).mark);
    compared += !in_double.sentence.empty();
  }
  CHECK(compared > 10);
}

TEST_CASE("norms: RoPE keeps them, YaRN up to its factor, the sinusoid does not") {
  CHECK(cells::answer_of({"norm-preservation", "rope"}).mark == Mark::yes);
  CHECK(
      cells::answer_of({"norm-preservation", "rope", {}, {{"scaling", Value("yarn")}, {"factor", Value(4.0)}}}).mark ==
      Mark::partly);
  CHECK(cells::answer_of({"norm-preservation", "sinusoidal"}).mark == Mark::no);
}
