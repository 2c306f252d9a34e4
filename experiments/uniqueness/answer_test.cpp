// SPDX-License-Identifier: Apache-2.0
// What uniqueness says of made-up records.
#include <algorithm>
#include <optional>

#include "answers.hpp"
#include "catch.hpp"

namespace {

using poslab::data::Answer;
using poslab::data::Mark;
using poslab::data::Record;
using poslab::data::Value;

const cells::Cell cell{"uniqueness", "rope", {{"length", Value(std::int64_t{256})}}};

Record codes(double distinct, double in_float, double in_bfloat, std::optional<double> nats = {}) {
  Record record;
  record.scalar("relative_margin", 0.25);
  if (nats) record.scalar("min_distance_nats", *nats);
  record.scalar("distinct", distinct);
  record.scalar("distinct_float32", in_float);
  record.scalar("distinct_bfloat16", in_bfloat);
  return record;
}

Record equal_tokens(double distinct) {
  Record record;
  record.scalar("distinct_positions", distinct);
  return record;
}

Answer said(const std::vector<Record>& records) { return cells::answer_to(cell, records); }

}  // namespace

TEST_CASE("own code: all of them, in bfloat16 too, is a yes") {
  const Answer answer = said({codes(256, 256, 256)});
  CHECK(answer.mark == Mark::yes);
  CHECK(numbers_text(answer) == "256");
  CHECK(
      answer.sentence ==
      "all 256 codes are different, stored as bfloat16 too; the nearest two are 0.25 of a code's norm apart (N = 256, "
      "float64, 1 repeat)");
}

TEST_CASE("own code: a count has all its digits") {
  const cells::Cell long_cell{"uniqueness", "rope", {{"length", Value(std::int64_t{4096})}}};
  CHECK(numbers_text(cells::answer_to(long_cell, {codes(4096, 4096, 4096)})) == "4096");
  CHECK(numbers_text(said({codes(1234, 1234, 1000)})).find("1234") == 0);
}

TEST_CASE("own code: what fewer bits lose is partly, offsets are told in nats") {
  const Answer in_bfloat = said({codes(256, 256, 171, 3.1e-4)}), in_float = said({codes(256, 250, 171)});
  CHECK(in_bfloat.mark == Mark::partly);
  CHECK(numbers_text(in_bfloat) == "171 bf16");
  CHECK_THAT(in_bfloat.sentence, check::contains("171 of them stored as bfloat16") &&
                                     check::contains("0.00031 nat in the logit of a head"));
  CHECK(in_float.mark == Mark::partly);
  CHECK(numbers_text(in_float) == "250 f32");
}

TEST_CASE("own code: fewer codes than positions is a no, all in some draws only cannot be told") {
  CHECK(said({codes(32, 32, 32)}).mark == Mark::no);
  CHECK(numbers_text(said({codes(32, 32, 32)})) == "32");
  const Answer both = said({codes(256, 256, 256), codes(254, 254, 250)});
  CHECK(both.mark == Mark::cannot_tell);
  CHECK(numbers_text(both) == "255.0 ± 1.0");
}

TEST_CASE("own code of what looks at contents: positions of equal tokens") {
  CHECK(said({equal_tokens(256)}).mark == Mark::yes);
  const Answer answer = said({equal_tokens(60), equal_tokens(70)});
  CHECK(answer.mark == Mark::no);
  CHECK(numbers_text(answer) == "65 ± 5");
  CHECK_THAT(answer.sentence, check::contains("tells 65 ± 5 of 256 positions apart"));
  CHECK(said({equal_tokens(250), equal_tokens(256)}).mark == Mark::cannot_tell);
}

TEST_CASE("own code: a sample of all codes answers as all pairs do, and an estimate has its error") {
  cells::Cell sampled = cell;
  sampled.axes.set("search", Value(std::string("sampled")));
  sampled.axes.set("samples", Value(std::int64_t{256}));
  const auto of_sample = [&](double distinct, double error, double in_bfloat) {
    Record record;
    record.scalar("distinct_estimate", distinct);
    record.scalar("distinct_error", error);
    record.scalar("min_distance_at_most", 0.5);
    record.scalar("distinct_float32", std::min(distinct, 256.0));
    record.scalar("distinct_bfloat16", in_bfloat);
    return cells::answer_to(sampled, {record});
  };
  CHECK(of_sample(256, 0, 256).mark == Mark::yes);
  CHECK(of_sample(256, 0, 200).mark == Mark::partly);
  CHECK(numbers_text(of_sample(256, 0, 200)) == "200 bf16");
  CHECK(numbers_text(of_sample(250, 0, 250)) == "250");
  CHECK_THAT(of_sample(250, 0, 250).sentence, check::contains("250 of 256 codes are different; the nearest is 0.5"));
  sampled.axes.set("samples", Value(std::int64_t{64}));
  CHECK(of_sample(43.7, 42.6, 32).mark == Mark::no);
  CHECK(numbers_text(of_sample(43.7, 42.6, 32)) == "40 ± 40");
  CHECK_THAT(of_sample(43.7, 42.6, 32).sentence, check::contains("about 40 ± 40 of 256 codes are different"));
  CHECK(of_sample(256, 0, 256).mark == Mark::cannot_tell);
}

TEST_CASE("own code of one position: nothing to tell apart") {
  cells::Cell one = cell;
  one.axes.set("length", Value(std::int64_t{1}));
  CHECK(cells::answer_to(one, {codes(1, 1, 1)}).mark == Mark::none);
}
