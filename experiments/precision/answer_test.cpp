// SPDX-License-Identifier: Apache-2.0
// What precision says: of runs, and of made-up records.
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "cells.hpp"

namespace {

using namespace poslab;
using cells::Cell;
using data::Value;

using cells::list, cells::whole;

Cell cell(const std::string& scheme, std::int64_t N, const char* format, const std::vector<double>& shifts,
          host::Model model = {32, 1, 2048}) {
  return {"precision",
          scheme,
          {{"length", whole(N)}, {"contents", whole(2)}, {"format", Value(format)}, {"shift", list(shifts)}},
          {},
          model};
}

// The answer to one repeat at N = 32 and two shifts; what is measured at stages after the first does not matter.
data::Answer answer_to(double positions, double codes, double error, double moved) {
  data::Record record;
  record.coordinate("stage", {0, 1, 2, 3, 4, 5});
  record.coordinate("shift", {0, 64});
  record.curve("table_error", {"stage"}, std::vector<double>(6, 0.01));
  record.curve("distinct_codes", {"stage"}, {codes, 32, 32, 32, 32, 32});
  record.curve("distinct_positions", {"shift"}, {32, positions});
  std::vector<double> errors(12, 0), moves(12, 0);
  errors[1] = error, moves[1] = moved;
  record.curve("logit_error", {"stage", "shift"}, errors);
  record.curve("logit_error_rms", {"stage", "shift"}, errors);
  record.curve("shift_error", {"stage", "shift"}, moves);
  return cells::answer_to(cell("rope", 32, "bfloat16", {0, 64}), {record});
}

}  // namespace

TEST_CASE("precision answers: as far as relative shift holds") {
  const auto answered = [](const std::string& scheme, const char* format, const std::vector<double>& shifts) {
    return cells::answer_of(cell(scheme, 32, format, shifts));
  };
  CHECK(answered("rope", "bfloat16", {0, 0.5}).mark == data::Mark::yes);
  const data::Answer broken = answered("rope", "bfloat16", {0, 256, 1024});
  CHECK(broken.mark == data::Mark::no);
  CHECK(numbers_text(broken) == "256");
  const data::Answer ended = answered("rope", "float16", {0, 1, 65500});
  CHECK(ended.mark == data::Mark::no);
  CHECK(numbers_text(ended) == "65500");
  CHECK_THAT(ended.sentence, check::contains("no numbers"));
  CHECK(answered("sinusoidal", "float16", {0}).mark == data::Mark::none);
}

TEST_CASE("precision answers: without a shift above 0 relative shift cannot be told") {
  for (const std::int64_t N : {1, 2, 32}) {
    const data::Answer answer = cells::answer_of(cell("rope", N, "bfloat16", {0}));
    CHECK(answer.mark == data::Mark::cannot_tell);
    CHECK_THAT(answer.sentence, check::contains("no shift above 0 was asked for"));
  }
}

TEST_CASE("precision answers: no where positions become one another, with how many are left") {
  // bfloat16 has steps of 8192 at 2^20: all of 100 positions there are one, and stay one however they are moved.
  Cell far = cell("rope", 100, "bfloat16", {0, 64, 1024});
  far.placement.policy = data::Placement::Policy::shifted;
  far.placement.by = 1 << 20;
  CHECK(cells::run(far).curve("shift_error")[2] == 0);
  const data::Answer one = cells::answer_of(far, 2);
  CHECK(one.mark == data::Mark::no);
  CHECK(numbers_text(one) == "1 left");
  CHECK_THAT(one.sentence, check::starts_with("in bfloat16 100 positions become 1 number; logits are off by"));
  // 256 .. 299 keep their even numbers: 256 + 22, and 300 for 299. The window of 64 sees none of it.
  const data::Answer end = cells::answer_of(cell("rope", 300, "bfloat16", {0, 1}));
  CHECK(end.mark == data::Mark::no);
  CHECK(numbers_text(end) == "279 left");
  // In 192 .. 291 those from 256 on are rounded to 256, 258 .. 292: 19 numbers for 36.
  CHECK_THAT(cells::answer_of(cell("rope", 100, "bfloat16", {0, 192})).sentence,
             check::contains("in bfloat16 100 positions become 83 numbers when all move by 192"));
  // Codes collapse, too: those of a scheme that adds them have no relative shift, but are as many as these.
  CHECK(numbers_text(cells::answer_of(cell("sinusoidal", 300, "bfloat16", {0}))) == "279 left");
  // A shift at which relative shift breaks stays the number, and what is left is said beside it.
  const data::Answer broken = cells::answer_of(cell("rope", 300, "bfloat16", {0, 256}));
  CHECK(numbers_text(broken) == "256");
  CHECK_THAT(broken.sentence, check::contains("of the first 64 positions change by 0.3 sd (rms) when these move by "
                                              "256; in bfloat16 300 positions become 279 numbers"));
}

TEST_CASE("precision answers: of records made by hand") {
  CHECK(answer_to(32, 32, 0.1, 0.1).mark == data::Mark::yes);
  CHECK(numbers_text(answer_to(31, 32, 0, 0)) == "31 left");
  const data::Answer codes = answer_to(32, 30, 0, 0);
  CHECK(codes.mark == data::Mark::no);
  CHECK(numbers_text(codes) == "30 left");
  CHECK_THAT(codes.sentence, check::contains("32 positions become 30 rows of cosines and sines"));
  const data::Answer off = answer_to(32, 32, 0.2, 0);
  CHECK(off.mark == data::Mark::no);
  CHECK(numbers_text(off) == "64");
  CHECK_THAT(off.sentence, check::contains("logits are off by 0.2 sd (rms) when all move by 64"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(answer_to(nan, 32, nan, nan).sentence, check::contains("no numbers for positions moved by 64"));
  CHECK(experiments::find_experiment("precision").column.legend.size() <= 90);
}
