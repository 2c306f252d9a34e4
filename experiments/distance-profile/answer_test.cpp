// SPDX-License-Identifier: Apache-2.0
// What the repeats of a point are said to say of logits by distance.
#include <cmath>
#include <limits>

#include "answers.hpp"
#include "catch.hpp"
#include "shape.hpp"

using namespace poslab;
using namespace poslab::experiments::distance_profile;
using data::AnswerNumber;
using data::Mark;
using data::Record;
using data::Value;
using Curve = std::vector<double>;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN();

// A repeat whose curves of change are these, for random, equal and all-ones contents.
Record record_of(const Curve& random, const Curve& equal, const Curve& ones, double error = 0) {
  Record record;
  Curve distances;
  for (std::size_t r = 0; r < random.size(); ++r) distances.push_back(static_cast<double>(r));
  record.coordinate("distance", distances);
  for (const auto& [kind, change] :
       {std::pair<std::string, Curve>{"random", random}, {"equal", equal}, {"ones", ones}}) {
    record.curve("change_" + kind, {"distance"}, change);
    record.scalar("fall_" + kind, fall(change));
    record.scalar("fall_error_" + kind, error);
    record.scalar("decay_length_" + kind, decay_length(change, 1e-9));
  }
  return record;
}

data::Answer answer_of(const std::vector<Record>& records, bool untrained = false) {
  const data::Values axes{{"length", Value(std::int64_t{4})}, {"contents", Value(std::int64_t{16})}};
  return cells::answer_to({"distance-profile", "none", axes}, records, untrained);
}

// A repeat whose heads fall by so much for all-ones contents.
Record with_heads(Record record, const Curve& falls) {
  Curve heads;
  for (std::size_t h = 0; h < falls.size(); ++h) heads.push_back(static_cast<double>(h));
  record.coordinate("head", heads);
  record.curve("head_fall_ones", {"head"}, falls);
  return record;
}

const Curve level{0, 0, 0, 0}, falling{0, -0.5, -1, -1.5}, in_waves{0, -2, -1, -3}, rising{0, 1, 2, 3};

}  // namespace

TEST_CASE("distance-profile answers: level, falling, in waves, for some contents only") {
  CHECK(answer_of({record_of(level, level, level)}).mark == Mark::no);
  CHECK(numbers_text(answer_of({record_of(level, level, level)})) == "");
  CHECK_THAT(answer_of({record_of(level, level, level)}).sentence, check::contains("does not fall"));

  const data::Answer yes = answer_of({record_of(falling, falling, falling)});
  CHECK(yes.mark == Mark::yes);
  CHECK(numbers_text(yes) == "2");
  CHECK(yes.sentence ==
        "the mean logit falls with distance for random, equal and all-ones contents at every step; for equal contents "
        "it has fallen by 1 for good after 2 positions");

  CHECK(answer_of({record_of(falling, in_waves, falling)}).mark == Mark::partly);
  CHECK_THAT(answer_of({record_of(falling, in_waves, falling)}).sentence, check::contains("equal contents in waves"));
  const data::Answer partly = answer_of({record_of(level, in_waves, falling)});
  CHECK(partly.mark == Mark::partly);
  CHECK(numbers_text(partly) == "1");
  CHECK(partly.sentence.ends_with("it has fallen by 1 for good after 1 position"));
  CHECK_THAT(partly.sentence, check::contains("for random contents it stays level (a fall of 0 sd)"));

  CHECK(answer_of({record_of(rising, rising, rising)}).mark == Mark::no);
  CHECK_THAT(answer_of({record_of(rising, rising, rising)}).sentence, check::contains("rises"));
}

TEST_CASE("distance-profile answers: a key of its own below hides no fall of the others, nor does one above make it") {
  const Curve low{0, 132, 131.5, 131, 130.5, 130.6}, high{0, -5, -5.01, -5, -5.02, -5},
      spike{0, -5, -4.5, -4, -3.5, -3};
  const data::Answer stick = answer_of({record_of(low, low, low)});
  CHECK(stick.mark == Mark::partly);
  CHECK(numbers_text(stick) == "fall 1.3 sd");
  CHECK_THAT(stick.sentence, check::starts_with("the mean logit falls with distance, but for the query's own key") &&
                                 check::contains("a fall of -131 sd from the own key, of 1.3 sd from distance 1, from "
                                                 "where it rises at 1 of 4 steps"));
  CHECK_THAT(stick.sentence, !check::contains("contents it rises"));
  for (const Curve& curve : {high, spike}) {
    const data::Answer own = answer_of({record_of(curve, curve, curve)});
    CHECK(own.mark == Mark::partly);
    CHECK_THAT(own.sentence,
               check::contains("does not fall from distance 1 on, and only the query's own key is above"));
  }
  const data::Answer scheme = cells::answer_of(
      {"distance-profile", "stick-breaking", {{"length", Value(std::int64_t{128})}}, {}, {64, 4, 128}}, 3);
  CHECK(scheme.mark == Mark::partly);
  CHECK_THAT(scheme.sentence, check::contains("falls from distance 1 on"));
}

TEST_CASE("distance-profile answers: where it first falls by 1, and where for good") {
  const Curve waves{0, -1.5, -0.5, -1.2, -1.9}, steady{0, -0.5, -1.1, -1.2, -1.3};
  const data::Answer both = answer_of({record_of(waves, waves, waves)});
  CHECK(numbers_text(both) == "3");
  CHECK(both.sentence.ends_with("it has fallen by 1 first at distance 1, and for good after 3 positions"));
  CHECK(answer_of({record_of(steady, steady, steady)})
            .sentence.ends_with("it has fallen by 1 for good after 2 positions"));
  CHECK_THAT(experiments::find_experiment("distance-profile").column.legend, check::contains("for good"));
}

TEST_CASE("distance-profile answers: a fall that is exact is said, however small") {
  const Curve little{0, -0.03, -0.06, -0.09}, wavering{0, -0.06, -0.03, -0.09};
  const data::Answer partly = answer_of({record_of(little, little, little)});
  CHECK(partly.mark == Mark::partly);
  REQUIRE(partly.numbers.size() == 1);
  CHECK_THAT(partly.numbers[0].value, check::WithinAbs(0.075, 1e-15));
  CHECK(partly.numbers[0].after == "sd");
  CHECK_THAT(partly.sentence, check::contains("at every step"));
  CHECK(answer_of({record_of(level, level, little)}).mark == Mark::partly);
  CHECK(answer_of({record_of(wavering, wavering, wavering)}).mark == Mark::no);  // no fall for good, and too small
  // As exact in each draw of weights, though not the same.
  const Curve less{0, -0.02, -0.04, -0.06}, even_less{0, -0.025, -0.05, -0.075};
  CHECK(answer_of({record_of(little, little, little), record_of(less, less, less),
                   record_of(even_less, even_less, even_less)},
                  true)
            .mark == Mark::partly);
  CHECK(answer_of({record_of(little, little, little), record_of(level, level, level),
                   record_of(even_less, even_less, even_less)},
                  true)
            .mark != Mark::partly);
}

TEST_CASE("distance-profile answers: heads that do the contrary do not cancel in silence") {
  const data::Answer cancelled = answer_of({with_heads(record_of(level, level, level), {1, -1, 0.05, 0})});
  CHECK(cancelled.mark == Mark::partly);
  CHECK_THAT(cancelled.sentence, check::contains("of 4 heads 1 fall and 1 rise"));
  CHECK(answer_of({with_heads(record_of(falling, falling, falling), {4, 3, -1, 4})}).mark == Mark::partly);
  CHECK(answer_of({with_heads(record_of(falling, falling, falling), {4, 3, 0, 4})}).mark == Mark::yes);
  CHECK(answer_of({with_heads(record_of(level, level, level), {0.09, -0.09})}).mark == Mark::no);
  CHECK(answer_of({with_heads(record_of(rising, rising, rising), {-1, -1})}).mark == Mark::no);
  // With drawn weights, in all of 8 repeats.
  std::vector<Record> drawn(8, with_heads(record_of(level, level, level), {1, -1}));
  CHECK(answer_of(drawn, true).mark == Mark::partly);
  drawn.pop_back();
  CHECK(answer_of(drawn, true).mark == Mark::no);
}

TEST_CASE("distance-profile answers: of drawn weights one repeat tells nothing, two need a wide margin") {
  const data::Answer one = answer_of({record_of(falling, falling, falling)}, true);
  CHECK(one.mark == Mark::cannot_tell);
  CHECK_THAT(one.sentence, check::contains("one repeat of drawn weights"));
  CHECK(answer_of({record_of(level, level, level)}, true).mark == Mark::cannot_tell);
  CHECK(answer_of({record_of(rising, rising, rising)}, true).mark == Mark::cannot_tell);
  // More than 3 errors of two repeats above 0.1: one case in five comes to that by chance.
  const Curve some{0, -0.4, -0.6, -0.8}, more{0, -0.8, -1, -1.2};
  CHECK(answer_of({record_of(some, some, some), record_of(more, more, more)}, true).mark == Mark::cannot_tell);
  const Curve as_much{0, -0.41, -0.61, -0.81};
  CHECK(answer_of({record_of(some, some, some), record_of(as_much, as_much, as_much)}, true).mark == Mark::yes);
}

TEST_CASE("distance-profile answers: a fall whose error is large cannot be told") {
  const Curve up{0, 0.1, 0.2, 0.3}, down{0, -0.3, -0.4, -0.5};
  const data::Answer unclear = answer_of({record_of(up, up, up), record_of(down, down, down)});
  CHECK(unclear.mark == Mark::cannot_tell);
  CHECK_THAT(unclear.sentence, check::starts_with("whether the mean logit falls with distance cannot be told"));
  CHECK(answer_of({record_of(down, level, level, 0.2)}).mark == Mark::cannot_tell);  // one repeat: its contents' error
  CHECK(answer_of({record_of(down, level, level, 0.01)}).mark == Mark::partly);
  CHECK(answer_of({record_of(down, level, level, nan_)}).mark == Mark::cannot_tell);  // of one content
}

TEST_CASE("distance-profile answers: repeats that all fall do fall, however unevenly") {
  std::vector<Record> repeats;
  for (const double slope : {0.2, 0.3, 0.2, 0.4, 0.3, 0.2, 90.0, 0.3}) {
    const Curve curve{0, -slope, -2 * slope, -3 * slope};
    repeats.push_back(record_of(curve, curve, curve));
  }
  CHECK(answer_of(repeats, true).mark == Mark::yes);  // 29 ± 28
  repeats.pop_back();
  CHECK(answer_of(repeats, true).mark == Mark::cannot_tell);
}

TEST_CASE("distance-profile answers: a step that rises less than its error is none") {
  const Curve one{0, -1, -1.2, -2.5}, two{0, -1.2, -0.9, -2.6};  // the second step: down by 0.2, up by 0.3
  std::vector<Record> repeats;
  for (int pair = 0; pair < 3; ++pair) {
    repeats.push_back(record_of(one, one, one));
    repeats.push_back(record_of(two, two, two));
  }
  CHECK(answer_of(repeats).mark == Mark::yes);
  repeats.resize(4);  // too few to know the error
  CHECK(answer_of(repeats).mark == Mark::partly);
}

TEST_CASE("distance-profile answers: a logit that does not fall by 1, or in some repeats only, has no length") {
  const Curve slow{0, -0.5, -0.9, -0.95}, quick{0, -0.5, -0.9, -1.05};
  const data::Answer never = answer_of({record_of(slow, slow, slow)});
  CHECK(never.mark == Mark::yes);
  CHECK(numbers_text(never) == "> 3");
  const data::Answer sometimes = answer_of({record_of(slow, slow, slow), record_of(quick, quick, quick)});
  CHECK(numbers_text(sometimes) == "by 1 in 1 repeats");
  CHECK_THAT(sometimes.sentence, check::contains("in 1 of 2 repeats, from distance 3 on"));
  CHECK(never.sentence.ends_with("does not fall by 1 for good within 3 positions"));
  const data::Answer two = answer_of({record_of({0, -0.5}, {0, -0.5}, {0, -0.5})});
  CHECK(numbers_text(two) == "> 1");
  CHECK(two.sentence.ends_with("within 1 position"));
}

TEST_CASE("distance-profile answers: one position") {
  const data::Answer one = answer_of({record_of({0}, {0}, {0})});
  CHECK(one.mark == Mark::none);
  CHECK(one.sentence ==
        "one position has no distances over which a logit could fall");  // no full stop: more may follow
}

TEST_CASE("distance-profile answers for cells: ALiBi yes, RoPE for equal contents, nothing no") {
  const auto answered = [](const std::string& scheme) {
    return cells::answer_of({"distance-profile", scheme, {{"length", Value(std::int64_t{128})}}, {}, {64, 4, 128}});
  };
  CHECK(answered("alibi").mark == Mark::yes);
  CHECK(answered("fox").mark == Mark::cannot_tell);  // one draw of its gates
  CHECK(numbers_text(answered("alibi")) == "13");    // 1 / (mean of 2^-2, 2^-4, 2^-6, 2^-8) is 12.05
  CHECK(answered("none").mark == Mark::no);
  const data::Answer rope = answered("rope");
  CHECK(rope.mark == Mark::partly);
  CHECK_THAT(rope.sentence,
             check::contains("equal and all-ones contents in waves; for random contents it stays level"));
  CHECK(answered("sinusoidal").mark == Mark::partly);
  CHECK(experiments::find_experiment("distance-profile").column.legend.size() <= 100);
}

TEST_CASE("distance-profile answers: ALiBi as models release it is ALiBi, whatever softmax cancels") {
  const auto answered = [](const char* scheme, const char* form, std::int64_t by) {
    cells::Cell cell{"distance-profile", scheme, {{"length", Value(std::int64_t{128})}}, {}, {64, 4, 128}};
    if (form) cell.parameters = {{"form", Value(form)}};
    if (by) cell.placement.policy = data::Placement::Policy::shifted, cell.placement.by = by;
    return cells::answer_of(cell);
  };
  for (const std::int64_t by : {0, 100000}) {
    const data::Answer alibi = answered("alibi", nullptr, by);
    for (const char* form : {"key", "key-from-the-end"}) {
      CAPTURE(form, by);
      CHECK(answered("key-bias", form, by).mark == alibi.mark);
      CHECK(answered("key-bias", form, by).numbers == alibi.numbers);
    }
    CHECK(answered("key-bias", "query", by).mark == Mark::no);
    CHECK_THAT(answered("key-bias", "query", by).sentence, check::contains("level (a fall of 0 sd)"));
  }
}

TEST_CASE("distance-profile answers: one head of ALiBi falls at 34 tokens as at 36") {
  const auto answered = [](std::int64_t N) {
    return cells::answer_of({"distance-profile", "alibi", {{"length", Value(N)}}, {}, {64, 1, N}});
  };
  CHECK(answered(34).mark == Mark::partly);
  CHECK(answered(36).mark == Mark::yes);
  REQUIRE(answered(34).numbers.size() == 1);
  CHECK_THAT(answered(34).numbers[0].value, check::WithinAbs(25.0 / 256, 1e-12));  // 2^-8 times the mean of 17 .. 33
}
