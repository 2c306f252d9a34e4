// SPDX-License-Identifier: Apache-2.0
// What changes when all positions move, at which positions, and in which scalar type.
// Dimension letters: N positions, D model width, H heads.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"
#include "shipped.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using cells::Index;
using poslab::data::Mark;
using poslab::data::Value;

using cells::list, cells::whole;

}  // namespace

TEST_CASE("relative shift: position scores of the index move from m n to (m + s)(n + s), less what all keys share") {
  const double N = 70, s = 9;
  const Answer answer =
      cells::run({"relative-shift", "index", {{"length", whole(70)}, {"shift", list({s})}}, {}, {16, 2, 70}});
  const double last = N - 1, mean_square = last * (2 * last + 1) / 6;  // of m
  // (m + n) s + s^2 has the mean (m + last / 2) s + s^2 over n.
  CHECK(answer.curve("position_error")[0] == check::Approx(s * last / 2 / mean_square).epsilon(1e-12));
}

TEST_CASE("relative shift: of long sequences some tokens are compared, both ends among them") {
  const double s = 1;
  const Answer answer =
      cells::run({"relative-shift", "index", {{"length", whole(1000)}, {"shift", list({s})}}, {}, {8, 2, 1000}});
  double mean_square = 0, mean = 0;
  for (Index m = 0; m < 128; ++m) {
    const Index index = m * 999 / 127;
    const auto token = static_cast<double>(index);
    mean_square += token * token / 128;
    mean += token / 128;
  }
  CHECK(answer.curve("position_error")[0] ==
        check::Approx(s * std::max(mean, 999 - mean) / mean_square).epsilon(1e-12));
}

TEST_CASE("relative shift: what is relative within the trained length only is found out beyond it") {
  // Within 256 positions the scores of both are functions of the offset; ReRoPE's later queries get a factor, and
  // FIRE's are divided by their own position.
  const Cell rerope{
      "relative-shift", "rerope", {{"length", whole(256)}}, {{"training_length", whole(256)}}, {32, 2, 256}};
  const Cell fire{"relative-shift", "fire", {{"length", whole(256)}}, {}, {32, 2, 256}};
  for (Cell cell : {rerope, fire}) {
    CAPTURE(cell.scheme);
    cell.axes.set("shift", list({1000}));
    const Answer answer = cells::run(cell);
    CHECK(answer.scalar("toeplitz_residual_relative") <= 1e-12 * 256);
    CHECK(answer.curve("position_error")[0] > 1e-3);
    CHECK(answer.curve("content_error_rms")[0] > 0.05);
    CHECK(cells::answer_of(cell).mark == Mark::no);
    // A longer sequence says the same.
    cell.axes.set("length", whole(1300));
    cell.axes.set("shift", list({1}));
    CHECK(cells::run(cell).scalar("toeplitz_residual_relative") > 1e-3);
    CHECK(cells::answer_of(cell).mark != Mark::yes);
  }
}

TEST_CASE("relative shift: what a learned table says after a move is unrelated, sqrt 2, whatever its size") {
  for (const double size : {0.02, 0.2}) {
    const Answer answer = cells::run({"relative-shift",
                                      "learned",
                                      {{"length", whole(256)}, {"shift", list({100})}},
                                      {{"init_std", Value(size)}, {"max_length", whole(512)}},
                                      {128, 8, 256}});
    CHECK(answer.curve("content_error_rms")[0] == check::Approx(std::sqrt(2)).epsilon(0.03));
    CHECK(answer.scalar("added") > size);
  }
}

TEST_CASE("relative shift in float32 says what it says in float64, of every scheme") {
  int compared = 0;
  for (const std::string& id : shipped_schemes()) {
    Cell cell{"relative-shift",
              id,
              {{"length", whole(48)}, {"contents", whole(2)}, {"shift", list({1, 300})}, {"step", list({1})}},
              {},
              {32, 4, 48}};
    const poslab::data::Answer in_double = cells::answer_of(cell);
    if (cell.scheme == "selective-rope") continue;  // what the scores of an offset differ by, 5e-6, float32 cannot see
    cell.axes.set("dtype", Value("float32"));
    const poslab::data::Answer in_float = cells::answer_of(cell);
    CAPTURE(cell.scheme, in_double.sentence, in_float.sentence);
    CHECK(in_double.mark == in_float.mark);
    compared += !in_double.sentence.empty();
  }
  CHECK(compared > 30);
}

TEST_CASE("relative shift in float32: RoPE is relative, the sinusoid's position part is exact, nothing else is") {
  const cells::Values axes{{"length", whole(200)}, {"dtype", Value("float32")}};
  CHECK(cells::answer_of({"relative-shift", "rope", axes}).mark == Mark::yes);
  CHECK(cells::answer_of({"relative-shift", "sinusoidal", axes}).mark == Mark::partly);
  CHECK(cells::answer_of({"relative-shift", "index", axes}).mark == Mark::no);
}

TEST_CASE("relative shift: variants of a scheme are compared on the same weights") {
  // T5 with and without the usual scale: one table, so the position score K + B is the same.
  const auto scores = [](bool scaled) {
    return cells::run({"relative-shift", "t5", {{"length", whole(40)}}, {{"scaled", Value(scaled)}}, {32, 4, 40}})
        .scalar("position_score_rms");
  };
  CHECK(scores(true) == scores(false));
}

TEST_CASE("relative shift of xPos in float32, so far away that its numbers overflow: those shifts have no number") {
  const Answer answer = cells::run({"relative-shift",
                                    "xpos",
                                    {{"length", whole(64)}, {"shift", list({1, 100000})}, {"dtype", Value("float32")}},
                                    {{"scale_base", Value(64.0)}},
                                    {32, 2, 64}});
  for (const char* measure : {"content_error", "content_error_rms", "position_error"}) {
    CHECK(answer.curve(measure)[0] < 1e-3);
    CHECK(std::isnan(answer.curve(measure)[1]));
  }
}
