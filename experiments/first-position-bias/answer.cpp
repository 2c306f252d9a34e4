// SPDX-License-Identifier: Apache-2.0
// What first-position-bias says of a variant: by which factor it changes the share of position 0 at the greatest depth,
// against no positions on the same draws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "first-position-bias.hpp"
#include "poslab/data/holm.hpp"
#include "poslab/data/paired_ratio.hpp"

namespace poslab::experiments::first_position_bias {
namespace {

using data::AnswerNumber;
using data::Mark;
using data::MeanAndError;
using data::PairedRatio;

constexpr double min_even = 0.99, max_even = 1.01;  // a factor between them changes nothing worth a mark
constexpr double equal = 1e-9;                      // what is closer is rounding
const double largest_size = std::log(1e3);          // nat: beyond, a factor is told by its logarithm
constexpr double nothing = 700;                     // nat: what is divided by e^708 has no normal double any more

// The shares of position 0 at the greatest depth, repeat by repeat.
struct Shares {
  std::vector<double> scheme, none;
};

Shares shares_of(const Point& point, const ShareMeasures& measures) {
  const auto at_last = [&](const Measure<Depth>& measure) {
    std::vector<double> values;
    for (const std::vector<double>* curve : point.values(measure)) values.push_back(curve->back());
    return values;
  };
  return {at_last(measures.scheme), at_last(measures.none)};
}

bool can_be_compared(const Shares& shares) {
  const auto is_share = [](double share) { return share >= 0; };
  return !shares.none.empty() && shares.scheme.size() == shares.none.size() &&
         std::all_of(shares.scheme.begin(), shares.scheme.end(), is_share) &&
         std::all_of(shares.none.begin(), shares.none.end(), [](double share) { return share > 0; });
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

AnswerNumber below_nothing() { return AnswerNumber::exact(-nothing, 3, "ln").with_relation(data::Relation::below); }

// The head that decays least decides.
AnswerNumber number_of_decay(const Decays& decays) {
  MeanAndError least = decays.least;
  if (!(least.mean < nothing)) return below_nothing();
  least.mean = -least.mean;
  return (least.error > equal ? AnswerNumber::of(least) : AnswerNumber::exact(least.mean, 2)).with_unit("nat/pos");
}

// "0.0039 to 0.5 nat a position, by head".
std::string text_of(const Decays& decays) {
  const auto text = [](const MeanAndError& decay) {
    return decay.error > equal ? data::to_text(decay) : fmt::format("{:.3g}", decay.mean);
  };
  if (!(std::abs(decays.most.mean - decays.least.mean) > equal))
    return fmt::format("{} nat a position in every head", text(decays.most));
  return fmt::format("{} to {} nat a position, by head", text(decays.least), text(decays.most));
}

// What is known of a variant at a point, whatever error rate is asked for.
struct Finding {
  PairedRatio ratio;
  bool is_exact;      // nothing was drawn that enters
  std::string where;  // under which conditions
  bool decays;        // every head's logits fall with distance, in every repeat
  Decays decay;
  std::size_t vanishing;  // in how many repeats next to nothing is left, which may be less than float64 can hold

  // What the mark would be if the interval were narrow enough.
  Mark tendency() const {
    const double r = ratio.ratio();
    return r > max_even ? Mark::yes : r < min_even ? Mark::no : Mark::none;
  }
  // The least error rate at which the interval lies on one side of what is even, or within.
  double chance() const {
    if (is_exact) return 0;
    switch (tendency()) {
      case Mark::yes: return ratio.chance_of(max_even);
      case Mark::no: return ratio.chance_of(min_even);
      default: return std::max(ratio.chance_of(min_even), ratio.chance_of(max_even));
    }
  }
  Mark mark(double error_rate) const { return chance() <= error_rate ? tendency() : Mark::cannot_tell; }
};

// "x 1.05 [0.98, 1.13]": the factor, and the interval by which the mark is given; or, where the factor is so large or
// small that only its exponent says anything, "ln -12.0 [-12.3, -11.8]".
AnswerNumber number_of(const Finding& finding, double error_rate) {
  const double log = finding.ratio.log_ratio();
  const bool as_log = std::abs(log) > largest_size;
  const std::string even = finding.mark(error_rate) == Mark::none ? "even " : "";
  AnswerNumber number =
      as_log ? AnswerNumber::exact(log, 3, "ln") : AnswerNumber::exact(finding.ratio.ratio(), 3, even + "x");
  if (finding.is_exact || finding.ratio.pairs() < 2) return number;
  const auto [low, high] = finding.ratio.interval(error_rate);
  if (!std::isfinite(high) || !(high - low > equal * finding.ratio.ratio())) return number;
  if (!as_log) return std::move(number).with_interval(low, high);
  return low > 0 ? std::move(number).with_interval(std::log(low), std::log(high)) : number;
}

// What follows a sentence: how sure it is.
std::string surety(const Finding& finding, double error_rate) {
  const std::size_t repeats = finding.ratio.pairs();
  switch (finding.mark(error_rate)) {
    case Mark::none: return ": within 1 % of 1";
    case Mark::cannot_tell: break;
    default: return "";
  }
  return repeats == 1
             ? ": one repeat has no error, and cannot tell on which side of 1 it lies"
             : fmt::format(", and {} repeats cannot tell whether that is within 1 % of 1, more or less", repeats);
}

data::Answer decaying(const Finding& finding, double error_rate) {
  return {finding.mark(error_rate),
          {number_of_decay(finding.decay)},
          fmt::format("position 0 gets e^{:.0f} of its share without positions ({}): logits fall with distance by {}{}",
                      finding.ratio.log_ratio(), finding.where, text_of(finding.decay), surety(finding, error_rate))};
}

data::Answer vanishing(const Finding& finding, double error_rate) {
  const std::size_t repeats = finding.ratio.pairs();
  const bool all = finding.vanishing == repeats;
  data::Answer answer{finding.mark(error_rate), {}, ""};
  if (finding.decays)
    answer.numbers = {number_of_decay(finding.decay)};
  else if (all && answer.mark != Mark::cannot_tell)
    answer.numbers = {below_nothing()};
  answer.sentence =
      fmt::format("position 0's share vanishes{}: less than e^-{} of that without positions ({}){}{}",
                  all ? "" : fmt::format(" in {} of {} repeats", finding.vanishing, repeats), nothing, finding.where,
                  finding.decays ? fmt::format(": logits fall with distance by {}", text_of(finding.decay)) : "",
                  surety(finding, error_rate));
  return answer;
}

data::Answer answer_of(const Finding& finding, double error_rate) {
  if (finding.vanishing > 0) return vanishing(finding, error_rate);
  const double log = finding.ratio.log_ratio();
  if (log < -largest_size && finding.decays) return decaying(finding, error_rate);
  const AnswerNumber number = number_of(finding, error_rate);
  AnswerNumber bare = number;
  bare.before = std::abs(log) > largest_size ? "e to the power of" : "";
  const bool has_interval = !std::isnan(number.low);
  return {finding.mark(error_rate),
          {number},
          fmt::format("the scheme multiplies position 0's mean share of the last context by {} ({}{}){}", to_text(bare),
                      finding.where, has_interval ? fmt::format(", {:.4g} % interval", 100 * (1 - error_rate)) : "",
                      surety(finding, error_rate))};
}

std::string conditions(const FirstPositionBias& at, const Point& point) {
  return fmt::format("{} layers of {} positions{}, {} repeat{}, {}", at.scheme_layers(), at.length,
                     at.residual ? " with residual paths" : "", point.repeats.size(),
                     point.repeats.size() == 1 ? "" : "s", at.dtype == Dtype::float32 ? "float32" : "float64");
}

std::size_t vanishing_repeats(const Shares& shares) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < shares.scheme.size(); ++i)
    count += std::log(shares.scheme[i]) - std::log(shares.none[i]) < -nothing;
  return count;
}

bool are_alike(const Shares& shares, const std::function<double(std::size_t repeat)>& ratio_at) {
  for (std::size_t i = 0; i < shares.scheme.size(); ++i)
    if (!(std::abs(ratio_at(i) - 1) < equal)) return false;
  return true;
}

// Every repeat has the share that it has without positions.
bool is_untouched(const Shares& shares) {
  return are_alike(shares, [&](std::size_t i) { return shares.scheme[i] / shares.none[i]; });
}

// Repeats do not differ.
bool is_same_in_all(const Shares& shares) {
  return are_alike(shares, [&](std::size_t i) { return shares.none[i] / shares.none[0]; }) &&
         are_alike(shares, [&](std::size_t i) {
           return shares.scheme[i] == shares.scheme[0] ? 1 : shares.scheme[i] / shares.scheme[0];
         });
}

}  // namespace

data::AnswerColumn FirstPositionBias::column() {
  return {"first",
          "",
          "position 0's share of the last context beside no positions; yes: more, no: less, by more than 1 %",
          {{"x", "so many times as much"},
           {"even x", "so many times as much, which is within 1 %"},
           {"ln", "the logarithm of that factor"},
           {"nat/pos", "by so many nat a position logits change, so that position 0 has next to nothing"}},
          true};
}

std::optional<TestedAnswer> FirstPositionBias::tested(const Point& point) const {
  const Shares shares = shares_of(point, residual ? residual_context_share : context_share);
  if (length < 2 || !can_be_compared(shares)) return std::nullopt;
  const bool is_exact = (query_gain == 0 && !point.untrained && is_same_in_all(shares)) || is_untouched(shares);
  const Finding finding{PairedRatio(shares.scheme, shares.none),      is_exact,         conditions(*this, point),
                        point.smallest(FirstPositionBias::decay) > 0, decays_of(point), vanishing_repeats(shares)};
  return TestedAnswer{finding.chance(), [finding](double error_rate) { return answer_of(finding, error_rate); }};
}

data::Answer FirstPositionBias::answer(const Point& point) const {
  if (const std::optional<TestedAnswer> answer = tested(point)) return answer->at(data::family_error_rate);
  if (length < 2) return {Mark::none, {}, "one position: its share is all there is"};
  return {Mark::cannot_tell,
          {},
          fmt::format("position 0 gets nothing that can be compared ({})", conditions(*this, point))};
}

}  // namespace poslab::experiments::first_position_bias
