// SPDX-License-Identifier: Apache-2.0
// What first-position-bias says of a variant: by which factor it changes the share of position 0 at the greatest depth,
// against no positions on the same draws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "first-position-bias.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

using data::MeanAndError;

constexpr double equal = 1e-9;              // nat: excesses below are rounding
const double largest_size = std::log(1e3);  // nat: beyond, a factor is told by its logarithm
constexpr double nothing = 700;             // nat: what is divided by e^708 has no normal double any more

// "x 1.05 [0.98, 1.13]": the factor, and the interval by which the mark is given, which is one of its logarithm; or,
// where the factor is so large or small that only its exponent says anything, "ln -12.0 ± 0.1".
data::AnswerNumber number_of(const MeanAndError& log) {
  if (std::abs(log.mean) > largest_size) return data::AnswerNumber::of(log, "ln");
  const double around = log.values > 1 ? data::errors_around(log.values) * log.error : 0;
  data::AnswerNumber factor = data::AnswerNumber::exact(std::exp(log.mean), 3, "x");
  if (!(around > equal)) return factor;
  return std::move(factor).with_interval(std::exp(log.mean - around), std::exp(log.mean + around));
}

// Under which conditions.
std::string conditions(const FirstPositionBias& at, const Point& point) {
  return fmt::format("{} layers of {} positions{}, {} repeat{}, {}", at.scheme_layers(), at.length,
                     at.residual ? " with residual paths" : "", point.repeats.size(),
                     point.repeats.size() == 1 ? "" : "s", at.dtype == Dtype::float32 ? "float32" : "float64");
}

// Nothing was drawn that may change what comes out.
bool is_exact(const FirstPositionBias& at, const Point& point) { return at.query_gain == 0 && !point.untrained; }

bool can_tell_from_1(const FirstPositionBias& at, const Point& point, const MeanAndError& excess) {
  return (is_exact(at, point) && excess.error == 0) || data::differs_from(excess, 0);
}

std::string doubt(const Point& point) {
  return point.repeats.size() == 1 ? ": one repeat has no error, and cannot tell this from 1"
                                   : fmt::format(", which {} repeats cannot tell from 1", point.repeats.size());
}

// The heads whose logits fall least and most, each the mean of the repeats.
struct Decays {
  MeanAndError least, most;
};

Decays decays_of(const Point& point) {
  Decays decays;
  const std::size_t heads = point.coordinate<Head>().size();
  for (std::size_t h = 0; h < heads; ++h) {
    const MeanAndError of_head = point.mean(FirstPositionBias::decay, static_cast<int>(h));
    if (h == 0 || of_head.mean < decays.least.mean) decays.least = of_head;
    if (h == 0 || of_head.mean > decays.most.mean) decays.most = of_head;
  }
  return decays;
}

// "0.0039 to 0.5 nat a position, by head".
std::string of_decay(const Point& point) {
  const auto [least, most] = decays_of(point);
  const auto text = [](const MeanAndError& decay) {
    return decay.error > equal ? data::to_text(decay) : fmt::format("{:.3g}", decay.mean);
  };
  if (!(std::abs(most.mean - least.mean) > equal)) return fmt::format("{} nat a position in every head", text(most));
  return fmt::format("{} to {} nat a position, by head", text(least), text(most));
}

data::AnswerNumber below_nothing() {
  return data::AnswerNumber::exact(-nothing, 3, "ln").with_relation(data::Relation::below);
}

// The head that decays least decides.
data::AnswerNumber number_of_decay(const Point& point) {
  MeanAndError least = decays_of(point).least;
  if (!(least.mean < nothing)) return below_nothing();
  least.mean = -least.mean;
  return (least.error > equal ? data::AnswerNumber::of(least) : data::AnswerNumber::exact(least.mean, 2))
      .with_unit("nat/pos");
}

data::Answer decaying(const FirstPositionBias& at, const Point& point, const MeanAndError& excess,
                      const std::string& where) {
  const bool can_tell = can_tell_from_1(at, point, excess);
  return {can_tell ? data::Mark::no : data::Mark::cannot_tell,
          {number_of_decay(point)},
          fmt::format("position 0 gets e^{:.0f} of its share without positions ({}): logits fall with distance by {}{}",
                      excess.mean, where, of_decay(point), can_tell ? "" : doubt(point))};
}

// In how many repeats next to nothing is left, which may be less than float64 can hold: a logarithm of -infinity.
std::size_t vanishing_repeats(const Point& point, const Measure<Depth>& measure) {
  std::size_t count = 0;
  for (const std::vector<double>* excess : point.values(measure)) count += excess->back() < -nothing;
  return count;
}

data::Answer vanishing(const FirstPositionBias& at, const Point& point, std::size_t vanishing,
                       const std::string& where) {
  const std::size_t repeats = point.repeats.size();
  const bool all = vanishing == repeats, decays = point.smallest(FirstPositionBias::decay) > 0;
  // Without a decay, repeats have to agree on it.
  const bool can_tell = is_exact(at, point) || (repeats > 1 && (all || decays));
  data::Answer answer{can_tell ? data::Mark::no : data::Mark::cannot_tell, {}, ""};
  if (decays)
    answer.numbers = {number_of_decay(point)};
  else if (can_tell)
    answer.numbers = {below_nothing()};
  answer.sentence = fmt::format("position 0's share vanishes{}: less than e^-{} of that without positions ({}){}{}",
                                all ? "" : fmt::format(" in {} of {} repeats", vanishing, repeats), nothing, where,
                                decays ? fmt::format(": logits fall with distance by {}", of_decay(point)) : "",
                                can_tell ? "" : doubt(point));
  return answer;
}

}  // namespace

data::AnswerColumn FirstPositionBias::column() {
  return {"first", "", "factor on position 0's share in the last context, beside no positions; ln: its logarithm"};
}

data::Answer FirstPositionBias::answer(const Point& point) const {
  using data::Mark;
  const Measure<Depth>& measure = (residual ? residual_context_share : context_share).log_excess;
  const std::string where = conditions(*this, point);
  if (length < 2) return {Mark::none, {}, "one position: its share is all there is"};
  const MeanAndError excess = point.mean(measure, -1);
  if (excess.values == 0 || std::isnan(excess.mean))
    return {Mark::cannot_tell, {}, fmt::format("position 0 gets nothing that can be compared ({})", where)};
  if (const std::size_t repeats = vanishing_repeats(point, measure)) return vanishing(*this, point, repeats, where);
  if (std::abs(excess.mean) < equal && excess.error < equal)
    return {Mark::none,
            {data::AnswerNumber::exact(1, 3, "x")},
            fmt::format("position 0 gets what it gets without positions ({})", where)};
  if (excess.mean < -largest_size && point.smallest(FirstPositionBias::decay) > 0)
    return decaying(*this, point, excess, where);

  const data::AnswerNumber number = number_of(excess);
  const bool can_tell = can_tell_from_1(*this, point, excess);
  data::AnswerNumber bare = number;
  bare.before = std::abs(excess.mean) > largest_size ? "e to the power of" : "";
  const std::string sentence = fmt::format("the scheme multiplies position 0's share of the last context by {} ({}){}",
                                           to_text(bare), where, can_tell ? "" : doubt(point));
  if (!can_tell) return {Mark::cannot_tell, {number}, sentence};
  return {excess.mean > 0 ? Mark::yes : Mark::no, {number}, sentence};
}

}  // namespace poslab::experiments::first_position_bias
