// SPDX-License-Identifier: Apache-2.0
// What extrapolation says of a variant: from where on it serves nothing or nothing trained; else how new its codes are
// and how far the logits of equal tokens drift. It never says how well a model would do: that takes training.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "extrapolation.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using data::MeanAndError;

constexpr double nothing = 1e-9;  // sd: drifts below are rounding
// A code's share in weights that were never trained. One of the two rows that a logit takes from a table gives about a
// half; one unit of a network that wakes beyond gives a twentieth.
constexpr double counts_as_untrained = 0.25;

// What a repeat has in a curve over positions beyond the trained length (on a grid: over all cells, of which those that
// training shows are as trained).
class Beyond {
 public:
  Beyond(const Point& point, double L) : point_(point), trained_(L), positions_(point.coordinate<Position>()) {
    on_grid_ = !point.repeats.front()->position_coordinates().empty();
    const auto inside = std::lower_bound(positions_.begin(), positions_.end(), L) - positions_.begin();
    first_ = on_grid_ ? 0 : static_cast<std::size_t>(inside);
  }

  bool on_grid() const { return on_grid_; }
  /// Whether a position beyond was asked for.
  bool exists() const { return positions_.back() >= trained_; }
  /// The first position beyond at which the mean over repeats is one that holds(mean).
  template <class Holds>
  std::optional<std::size_t> first_where(const Measure<Position>& measure, const Holds& holds) const {
    for (std::size_t i = first_; i < positions_.size(); ++i)
      if (const MeanAndError mean = point_.mean(measure, static_cast<int>(i)); mean.values > 0 && holds(mean.mean))
        return i;
    return std::nullopt;
  }
  /// The largest value beyond of each repeat; values = 0 without the measure, or where some are not defined.
  MeanAndError largest(const Measure<Position>& measure) const {
    std::vector<double> largest;
    for (const std::vector<double>* curve : point_.values(measure)) {
      const auto begin = curve->begin() + static_cast<std::ptrdiff_t>(first_);
      if (std::none_of(begin, curve->end(), [](double x) { return std::isnan(x); }))
        largest.push_back(*std::max_element(begin, curve->end()));
    }
    return data::mean_and_error(largest);
  }
  std::string place(std::size_t index) const {
    if (!on_grid_) return fmt::format("position {:.0f}", positions_[index]);
    std::string text = "the cell";
    for (const data::PositionCoordinate& axis : point_.repeats.front()->position_coordinates())
      text += fmt::format(" {} {:.0f}", axis.axis, axis.values[index]);
    return text;
  }
  double position(std::size_t index) const { return positions_[index]; }
  double last() const { return positions_.back(); }

 private:
  const Point& point_;
  double trained_;
  std::vector<double> positions_;
  bool on_grid_ = false;
  std::size_t first_ = 0;
};

// With its sign and its error, by which a reader sees what may be 0.
data::AnswerNumber number_of(const MeanAndError& drift) {
  if (std::abs(drift.mean) < nothing && drift.error < nothing) return data::AnswerNumber::exact(0, 1, "drift");
  return data::AnswerNumber::of(drift, "drift").with_unit("sd");
}

// Steps of training. Without an error two digits, and all before the point of a number in the thousands.
data::AnswerNumber steps(const MeanAndError& of, std::string before = {}) {
  data::AnswerNumber number = data::AnswerNumber::of(of, std::move(before));
  const double whole = std::floor(std::log10(std::abs(of.mean))) + 1;
  number.digits = static_cast<int>(std::clamp(whole, 2.0, 6.0));
  return number;
}

// In the context in which the codes that training showed move farthest; NaN where none served them all.
MeanAndError farthest_move(const Point& point) {
  MeanAndError farthest{0, std::numeric_limits<double>::quiet_NaN(), 0};
  if (!point.has(Extrapolation::context_change)) return farthest;  // on a grid
  for (int i = 0; i < static_cast<int>(point.coordinate<Multiple>().size()); ++i)
    if (const MeanAndError moved = point.mean(Extrapolation::context_change, i);
        moved.values > 0 && !(moved.mean <= farthest.mean))
      farthest = moved;
  return farthest;
}

// Under which conditions.
std::string conditions(const Extrapolation& at, const Point& point, const Beyond& beyond) {
  const std::string thinned = at.step() > 1 ? fmt::format("one in {} measured ", at.step()) : "";
  const std::string reach = beyond.on_grid() ? fmt::format("{:.0f} cells in all", beyond.last() + 1)
                                             : fmt::format("{}up to position {:.0f}", thinned, beyond.last());
  return fmt::format("trained on {} positions, {}, {} repeat{}, {}", at.train_length, reach, point.repeats.size(),
                     point.repeats.size() == 1 ? "" : "s", at.dtype == Dtype::float32 ? "float32" : "float64");
}

std::string of_drift(const MeanAndError& drift) {
  if (drift.values == 0) return "";
  return fmt::format(
      "; at the last position the logits between equal tokens, less that of the query for its own key, have drifted by "
      "{} sd on average{}",
      data::to_text(drift),
      drift.error > nothing && !data::differs_from(drift, 0) ? ", which cannot be told from 0" : "");
}

std::string of_planes(const Point& point) {
  const MeanAndError phase = point.mean(Extrapolation::unseen_phase);
  if (!(phase.mean > 0)) return "";
  return fmt::format("; {} of its rotating planes never complete a circle in training", data::to_text(phase));
}

// Where the position before was measured, too, it is the first that is so; else one up to a step before may be.
data::Answer ends(const Extrapolation& at, const Beyond& beyond, std::optional<std::size_t> undefined,
                  std::optional<std::size_t> untrained, const std::string& conditions) {
  const bool unseen_first = untrained && (!undefined || *untrained < *undefined);
  const std::size_t from = unseen_first ? *untrained : *undefined;
  const std::string word = unseen_first ? "unseen" : "ends";
  const auto step = static_cast<double>(at.step());
  const auto is_first = [&](std::size_t index) {
    return beyond.on_grid() || (index > 0 && beyond.position(index) - beyond.position(index - 1) == 1);
  };
  const auto measured = [&](std::size_t index) {
    return is_first(index) ? "" : fmt::format(" (one position in {:g} is measured)", step);
  };
  std::string sentence;
  if (untrained)
    sentence += fmt::format("from {} on{} some code depends on weights that training never moves",
                            beyond.place(*untrained), measured(*untrained));
  if (undefined)
    sentence +=
        fmt::format("{}{} is not served{}", untrained ? "; " : "", beyond.place(*undefined), measured(*undefined));
  return {data::Mark::no,
          {beyond.on_grid()
               ? data::AnswerNumber::word(word)
               : data::AnswerNumber::exact(beyond.position(from), 12, word + (is_first(from) ? " at" : " by"))},
          fmt::format("{} ({})", sentence, conditions)};
}

}  // namespace

data::AnswerColumn Extrapolation::column() {
  return {"beyond",
          "steps",
          "no new codes past training, or so many steps to known ones; no: not served or trained",
          {{"new", "past training is another code, with no step to count in"},
           {"moves", "codes of training move by so many steps in longer contexts"},
           {"drift", "by so much the logits of equal tokens have moved at the last position"},
           {"sd", "the standard deviation of logits of random contents"},
           {"unseen", "codes there depend on weights that training never moves"},
           {"unseen at", "codes from there on depend on weights that training never moves"},
           {"unseen by", "codes at the latest from there on depend on weights that training never moves"},
           {"ends", "some are not served"},
           {"ends at", "the first position that is not served"},
           {"ends by", "there, if not before, is the first position that is not served"}}};
}

data::Answer Extrapolation::answer(const Point& point) const {
  const double length = static_cast<double>(train_length);
  const Beyond beyond(point, length);
  if (!beyond.exists()) return {data::Mark::none, {}, "no position beyond the trained length was asked for"};
  const std::string where = conditions(*this, point, beyond);
  const auto undefined = beyond.first_where(defined, [](double flag) { return flag < 1; }),
             unmoved = beyond.first_where(untrained, [](double share) { return share >= counts_as_untrained; });
  if (undefined || unmoved) return ends(*this, beyond, undefined, unmoved, where);

  const MeanAndError equal = point.mean(equal_drift, -1), new_by = beyond.largest(novelty);
  const MeanAndError moved = farthest_move(point);
  const auto is_none = [&](const auto& measure, double value) {
    return std::abs(value) <= point.allowed(measure, beyond.last(), length);
  };
  const std::string in_full = of_planes(point) + of_drift(equal);
  const auto numbers = [&](data::AnswerNumber first) {
    std::vector<data::AnswerNumber> all{std::move(first)};
    if (equal.values > 0) all.push_back(number_of(equal));
    return all;
  };
  const bool moves = std::isfinite(moved.mean) && !is_none(context_change, point.largest(context_change));
  if (moves && !(new_by.mean > moved.mean))
    return {data::Mark::none, numbers(steps(moved, "moves")),
            fmt::format("codes that training showed move by {} steps of training in a longer context, and codes "
                        "beyond are up to {} steps from the nearest trained one{} ({})",
                        data::to_text(moved), data::to_text(new_by), in_full, where)};
  if (new_by.values == 0)  // training shows one code, and another comes
    return {data::Mark::none, numbers(data::AnswerNumber::word("new")),
            fmt::format("codes beyond are new, and training shows no step to count in{} ({})", in_full, where)};
  if (is_none(novelty, new_by.mean))
    return {data::Mark::yes, numbers(data::AnswerNumber::exact(0, 1)),
            fmt::format("every code beyond that was measured is one that training has shown{} ({}); that is not to say "
                        "that a model "
                        "generalises",
                        in_full, where)};
  return {
      data::Mark::none, numbers(steps(new_by)),
      fmt::format(
          "codes beyond are new, up to {} steps of training from the nearest trained one{}{} ({}); what a "
          "model makes of new codes, training shows",
          data::to_text(new_by),
          moves ? fmt::format(", and those that training showed move by up to {} steps", data::to_text(moved, 2)) : "",
          in_full, where)};
}

}  // namespace poslab::experiments::extrapolation
