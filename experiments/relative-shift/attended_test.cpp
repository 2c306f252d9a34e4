// SPDX-License-Identifier: Apache-2.0
// What softmax cannot see is no dependence on the position: ALiBi as models release it, and what looks like it.
#include <cmath>

#include "answers.hpp"
#include "catch.hpp"

namespace {

using cells::Answer;
using cells::Cell;
using poslab::data::Mark;
using poslab::data::Value;

using cells::whole;

Cell cell_of(const std::string& scheme, const std::string& parameter, const char* choice, std::int64_t N = 200) {
  return {"relative-shift", scheme, {{"length", whole(N)}}, {{parameter, Value(choice)}}, {32, 4, N}};
}

}  // namespace

TEST_CASE("relative shift: a bias of the key's position is as relative as ALiBi, and one of the query's as none") {
  const Cell alibi{"relative-shift", "alibi", {{"length", whole(200)}}, {}, {32, 4, 200}};
  const Answer of_alibi = cells::run(alibi);
  for (const char* form : {"key", "key-from-the-end", "offset"}) {
    CAPTURE(form);
    const Cell cell = cell_of("key-bias", "form", form);
    const Answer answer = cells::run(cell);
    for (const double error : answer.curve("content_error_rms")) CHECK(error == 0);
    for (const double error : answer.curve("content_error")) CHECK(error < 1e-12);
    for (const double error : answer.curve("position_error")) CHECK(error < 1e-12);
    CHECK(answer.scalar("added") == check::Approx(of_alibi.scalar("added")).epsilon(1e-12));
    CHECK(answer.scalar("toeplitz_residual_attended") < 1e-13);
    CHECK((answer.scalar("toeplitz_residual_relative") > 0.1) == (std::string(form) != "offset"));
    CHECK(cells::answer_of(cell).mark == Mark::yes);
    Cell in_float = cell;
    in_float.axes.set("dtype", Value("float32"));
    in_float.axes.set("shift", cells::list({1, 100}));  // far away float32 keeps no bias of the key's position
    CHECK(cells::answer_of(in_float).mark == Mark::yes);
  }
  const Answer query = cells::run(cell_of("key-bias", "form", "query"));
  CHECK(query.scalar("added") == 0);  // and not rounding
  for (const double error : query.curve("content_error_rms")) CHECK(error == 0);
  CHECK(cells::answer_of(cell_of("key-bias", "form", "query")).mark == Mark::yes);
}

TEST_CASE("relative shift: ALiBi, written as an offset or as a distance, is one bias under its mask") {
  const Cell alibi{"relative-shift", "alibi", {{"length", whole(200)}}, {}, {32, 4, 200}};
  const Answer distance = cells::run(alibi), offset = cells::run(cell_of("key-bias", "form", "offset"));
  // sqrt(mean of (K - slope r)^2) over r = 0 .. N - 1, of which there are N - r.
  double squares = 0;
  for (int head = 0; head < 4; ++head)
    for (int r = 0; r < 200; ++r) squares += (200 - r) * std::pow(8 - std::exp2(-2.0 * (head + 1)) * r, 2);
  const double expected = std::sqrt(squares / (4 * 200 * 201 / 2));
  CHECK(distance.scalar("position_score_rms") == check::Approx(expected).epsilon(1e-12));
  CHECK(offset.scalar("position_score_rms") == distance.scalar("position_score_rms"));
  for (std::size_t r = 0; r < 199; ++r) CHECK(std::isnan(distance.curve("position_spread")[r]));  // keys to the right
  CHECK(distance.curve("position_spread")[199] == 0);
}

TEST_CASE("relative shift: only what a query's own bias explains is taken off its scores") {
  // m n less m m is m (n - m): along offset r, m <= N - 1 gives r (N - 1 - r), greatest in the middle.
  const Answer index = cells::run({"relative-shift", "index", {{"length", whole(101)}}, {}, {8, 2, 101}});
  const double size = index.scalar("position_score_rms");
  CHECK(index.scalar("toeplitz_residual_attended") == check::Approx(50.0 * 50 / size).epsilon(1e-13));
  CHECK(index.scalar("toeplitz_residual") == check::Approx(100.0 * 100).epsilon(1e-13));
  // FIRE is relative up to its length alone, in either way of looking.
  const Answer fire = cells::run({"relative-shift", "fire", {{"length", whole(600)}}, {}, {32, 2, 256}});
  CHECK(fire.scalar("toeplitz_residual_attended") > 1e-3);
}

TEST_CASE("relative shift: a scheme that reads the last key is no relative one") {
  const Answer last = cells::run(cell_of("third-token", "which", "last"));
  CHECK(last.scalar("future_error") > 0.1);
  for (const double error : last.curve("content_error")) CHECK(error < 1e-11);  // moves change nothing
  CHECK(cells::answer_of(cell_of("third-token", "which", "last")).mark == Mark::no);
  CHECK(cells::run(cell_of("third-token", "which", "first")).scalar("future_error") == 0);
  for (const std::string scheme : {"fox", "cope", "path", "shaw"}) {
    CAPTURE(scheme);
    CHECK(cells::run({"relative-shift", scheme, {{"length", whole(40)}}, {}, {32, 4, 40}}).scalar("future_error") == 0);
  }
  CHECK_FALSE(cells::run({"relative-shift", "alibi", {{"length", whole(40)}}, {}, {32, 4, 40}}).has("future_error"));
}
