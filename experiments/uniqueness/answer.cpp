// SPDX-License-Identifier: Apache-2.0
// What uniqueness says of a variant: how many of N codes can be told apart, and stored in which numbers.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "poslab/experiment/answer_text.hpp"
#include "uniqueness.hpp"

namespace poslab::experiments::uniqueness {
namespace {

// A count over the repeats: all of them N, none of them, or some.
struct Count {
  data::MeanAndError codes;
  double fewest, most;
  bool is_all(double N) const { return codes.values > 0 && fewest >= N; }
  bool is_sometimes_all(double N) const { return fewest < N && most >= N; }
  std::string text() const { return data::to_text(codes, 12); }
  data::AnswerNumber number() const {
    data::AnswerNumber number = data::AnswerNumber::of(codes);
    number.digits = 12;
    return number;
  }
};

Count count_of(const Point& point, const Scalar& measure) {
  return {point.mean(measure), point.smallest(measure), point.largest(measure)};
}

std::string distances(const Point& point) {
  const data::MeanAndError margin = point.mean(Uniqueness::relative_margin),
                           nats = point.mean(Uniqueness::min_distance_nats);
  if (margin.values == 0) return "";
  std::string text = fmt::format("; the nearest two are {} of a code's norm apart", data::to_text(margin));
  if (nats.values > 0) text += fmt::format(", {} nat in the logit of a head", data::to_text(nats));
  return text;
}

// All N differ: what of that is left when they are stored in fewer bits.
data::Answer when_stored(const Point& point, double N, data::AnswerNumber number, const std::string& rest) {
  const Count in_float = count_of(point, Uniqueness::distinct_float32),
              in_bfloat = count_of(point, Uniqueness::distinct_bfloat16);
  if (!in_float.is_all(N))
    return {data::Mark::partly,
            {in_float.number().with_unit("f32")},
            fmt::format("all {:g} codes are different, {} of them stored as float32, {} as bfloat16{}", N,
                        in_float.text(), in_bfloat.text(), rest)};
  if (!in_bfloat.is_all(N))
    return {data::Mark::partly,
            {in_bfloat.number().with_unit("bf16")},
            fmt::format("all {:g} codes are different, in float32 too, {} of them stored as bfloat16{}", N,
                        in_bfloat.text(), rest)};
  return {data::Mark::yes,
          {std::move(number)},
          fmt::format("all {:g} codes are different, stored as bfloat16 too{}", N, rest)};
}

data::Answer of_codes(const Point& point, double N, const Count& exact, const std::string& rest) {
  if (exact.is_sometimes_all(N))
    return {data::Mark::cannot_tell,
            {exact.number()},
            fmt::format("{} of {:g} codes are different on average, all in some draws and not in others{}",
                        exact.text(), N, rest)};
  if (!exact.is_all(N))
    return {data::Mark::no, {exact.number()}, fmt::format("{} of {:g} codes are different{}", exact.text(), N, rest)};
  return when_stored(point, N, exact.number(), rest);
}

// One repeat says nothing of its error, but its sample does.
data::MeanAndError estimate_of(const Point& point, double samples) {
  const data::MeanAndError estimate = point.mean(Uniqueness::distinct_estimate),
                           error = point.mean(Uniqueness::distinct_error);
  if (estimate.values != 1 || error.values == 0) return estimate;
  return {static_cast<std::size_t>(samples), estimate.mean, error.mean};
}

// The answer from a sample: two equal codes refute; none that are equal prove nothing of the others.
data::Answer of_samples(const Uniqueness& at, const Point& point, const std::string& where) {
  const double N = static_cast<double>(at.length), samples = static_cast<double>(std::min(at.samples, at.length));
  const std::string found =
      fmt::format("the nearest is {} away", data::to_text(point.mean(Uniqueness::min_distance_at_most)));
  if (samples >= N) return of_codes(point, N, count_of(point, Uniqueness::distinct_estimate), "; " + found + where);
  const data::MeanAndError estimate = estimate_of(point, samples);
  if (point.smallest(Uniqueness::distinct_estimate) < N)
    return {
        data::Mark::no,
        {data::AnswerNumber::of(estimate)},
        fmt::format("about {} of {:g} codes are different, by {:g} of them held against all; stored as float32, {}{}",
                    data::to_text(estimate), N, samples, count_of(point, Uniqueness::distinct_float32).text(), where)};
  return {
      data::Mark::cannot_tell,
      {},
      fmt::format("none of {:g} sampled codes is as another of {:g}; {}; with 95 % confidence at most {:.2g} of all "
                  "have a nearer one{}",
                  samples, N, found, point.largest(Uniqueness::nearer_share_at_most), where)};
}

// Schemes that look at contents: what equal tokens show.
data::Answer of_equal_tokens(const Point& point, double N, const std::string& where) {
  const Count distinct = count_of(point, Uniqueness::distinct_positions);
  const std::string sentence = fmt::format(
      "what it says of a position depends on the contents; of equal tokens, the query tells {} of {:g} positions "
      "apart{}",
      distinct.text(), N, where);
  const data::Mark mark = distinct.is_all(N)             ? data::Mark::yes
                          : distinct.is_sometimes_all(N) ? data::Mark::cannot_tell
                                                         : data::Mark::no;
  return {mark, {distinct.number()}, sentence};
}

}  // namespace

data::AnswerColumn Uniqueness::column() {
  return {"own code",
          "codes",
          "so many of N codes differ; in part: all do, but not once they are stored",
          {{"f32", "so many are left once stored as float32"}, {"bf16", "so many are left once stored as bfloat16"}}};
}

data::Answer Uniqueness::answer(const Point& point) const {
  const double N = static_cast<double>(length);
  const std::string where = answer_text::where(point);
  if (N < 2) return {data::Mark::none, {}, "one position: there is nothing to tell apart" + where};
  if (point.has(distinct_estimate)) return of_samples(*this, point, where);
  if (!point.has(distinct)) return of_equal_tokens(point, N, where);
  return of_codes(point, N, count_of(point, distinct), distances(point) + where);
}

}  // namespace poslab::experiments::uniqueness
