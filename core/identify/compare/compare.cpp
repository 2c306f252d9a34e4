// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/emulate.hpp"
#include "compare/rows.hpp"
#include "poslab/base/error.hpp"
#include "search/variants.hpp"

namespace poslab::identify {
namespace {

using Angles = Precision::Angles;

constexpr double angle_nudge = 0x1p-22;  // of an angle that lies between two of 16 bits, what float32 may add to it

// How many roundings of what its size is are in a number.
double roundings_of(const Observation& observation) {
  switch (observation.kind()) {
    case Kind::table:
    case Kind::cosines:
    case Kind::sines:
    case Kind::frequencies:
    case Kind::slopes: return 1;
    case Kind::rotated: return 2;
    case Kind::bias: return 2;
    case Kind::logits: return 16;
    case Kind::outputs: return 16;
  }
  return 1;
}

// By how much positions p are moved, relative to 1 + |p|: little enough for no plane to rotate far.
double small_move(View<const double> positions) {
  double largest = 0;
  for (const double p : positions.flat()) largest = std::max(largest, std::abs(p));
  return 1e-4 / (1 + largest);
}
Array<double> moved(View<const double> positions, double by) {
  Array<double> out(positions.rank, positions.shape);
  for (Index i = 0; i < positions.size(); ++i)
    out.data()[i] = positions.data[i] + by * (1 + std::abs(positions.data[i]));
  return out;
}

// One observation beside what a candidate makes of it in the arithmetic of a standard.
class Comparison {
 public:
  Comparison(const Candidate& candidate, const Setting& setting, const Observation& observation,
             const Standard& standard, double move, bool is_one_of_several, Fit& fit)
      : candidate_(candidate),
        setting_(setting),
        observation_(observation),
        standard_(standard),
        move_(observation.by_position() ? move : 0),
        is_one_of_several_(is_one_of_several),
        of_result_(standard.of_result * roundings_of(observation) *
                   (candidate.scheme->weights().size() > 1 ? 8 : 1)),  // networks have sums
        fit_(fit) {
    if (rounds(Angles::slopes))
      factors_ = factors_of_rounded_slopes(candidate, setting, observation, *standard.format);
    else if (standard.format)
      planes_ = planes_of_columns(candidate, setting, observation);
  }
  // What is emulated has planes, or slopes.
  bool can_be_made() const { return !standard_.format || !planes_.empty() || !factors_.empty(); }

  void look_at(Index first, Index count) {
    take(first, count);
    std::optional<std::size_t> largest;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const double seen = observation_.number(row_of(i), column_of(i));
      if (std::isnan(seen)) continue;
      double difference = seen == shown_[i] ? 0 : std::abs(seen - shown_[i]);
      bool outside = !(difference <= allowed_of_result(i)) && !(difference <= allowed(i));
      if (outside && rounds_what_angles_make()) {
        difference = std::min(difference, nudged_difference(i, seen));
        outside = !(difference <= allowed(i));
      }
      if (outside && !fit_.departs) fit_.departs = place_of(row_of(i), column_of(i)), fit_.inside = false;
      if (!(difference <= fit_.largest_difference)) fit_.largest_difference = difference, largest = i;
    }
    if (!largest) return;
    const Index row = row_of(*largest), column = column_of(*largest);
    if (!knows_moved_) take(row, 1);
    fit_.allowed = allowed(static_cast<std::size_t>((row - first_) * observation_.columns() + column));
    fit_.place = place_of(row, column);
  }

 private:
  Place place_of(Index row, Index column) const {
    Place place = observation_.place(row, column);
    if (is_one_of_several_ && place.array.empty()) place.array = observation_.caption().name;
    return place;
  }
  Index row_of(std::size_t i) const { return first_ + static_cast<Index>(i) / observation_.columns(); }
  Index column_of(std::size_t i) const { return static_cast<Index>(i) % observation_.columns(); }
  // An angle that lies between two of 16 bits may become either, by an error of float32 before; so may a cosine.
  bool rounds_what_angles_make() const {
    return rounds(Angles::angles) || rounds(Angles::all) || (rounds(Angles::tables) && move_ != 0);
  }
  bool rounds(Angles stage) const { return standard_.format && standard_.precision.angles == stage; }

  void take(Index first, Index count) {
    first_ = first, count_ = count;
    knows_moved_ = false;
    beside_.clear();
    shown_ = standard_.format ? rounded({}) : at(setting_.positions);
  }
  std::vector<double> at(View<const double> positions) const {
    std::vector<double> out(static_cast<std::size_t>(count_ * observation_.columns()));
    observation_.predict(candidate_, {positions, setting_.context}, first_, count_, out);
    return out;
  }
  std::vector<double> rounded(const Nudge& nudge) const {
    if (rounds(Angles::slopes)) {
      std::vector<double> out = at(setting_.positions);
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] *= factors_[static_cast<std::size_t>(observation_.place(row_of(i), column_of(i)).head)];
      return out;
    }
    std::vector<double> out(static_cast<std::size_t>(count_ * observation_.columns()));
    predict_rounded(candidate_, setting_, observation_, planes_, {standard_.precision.angles, *standard_.format, nudge},
                    first_, count_, out);
    return out;
  }

  double allowed_of_result(std::size_t i) const {
    const double of_result =
        of_result_ * std::max(observation_.size(row_of(i), column_of(i)), std::abs(shown_[i]) * 0x1p-20);
    return of_result + (observation_.relative() ? standard_.of_angle * std::abs(shown_[i]) : 0);
  }
  // With what an error of the angle makes of it.
  double allowed(std::size_t i) {
    if (!knows_moved_) move();
    if (up_.empty()) return allowed_of_result(i);
    const double share = standard_.of_angle / move_;
    return allowed_of_result(i) + share * std::abs(up_[i] - down_[i]) / 2 +
           share * share * std::abs(up_[i] - 2 * middle_[i] + down_[i]) / 2;
  }
  void move() {
    knows_moved_ = true;
    up_.clear();
    if (move_ == 0) return;
    try {
      if (standard_.format && !rounds(Angles::tables) && !rounds(Angles::slopes)) {
        up_ = rounded({.after = move_}), down_ = rounded({.after = -move_}), middle_ = rounded({.after = 0.0});
        return;
      }
      up_ = at(moved(setting_.positions, move_)), down_ = at(moved(setting_.positions, -move_));
      middle_ = standard_.format ? at(setting_.positions) : shown_;
    } catch (const base::Error&) {  // positions there are not served
      up_.clear();
    }
  }
  double nudged_difference(std::size_t i, double seen) {
    if (beside_.empty()) look_beside();
    double least = std::numeric_limits<double>::infinity(), low = shown_[i], high = shown_[i];
    for (const std::vector<double>& other : beside_) {
      least = std::min(least, std::abs(seen - other[i]));
      low = std::min(low, other[i]), high = std::max(high, other[i]);
    }
    // Far from 0 an error of the angle spans several cosines of 16 bits, and each in between may be meant.
    return rounds(Angles::tables) ? std::max({0.0, low - seen, seen - high}) : least;
  }
  void look_beside() {
    if (!rounds(Angles::tables)) {
      beside_ = {rounded({.before = -angle_nudge}), rounded({.before = angle_nudge})};
      return;
    }
    // A cosine may lie between two numbers of 16 bits where its sine does not.
    for (const double of_cosines : {-standard_.of_angle, standard_.of_angle})
      for (const double of_sines : {-standard_.of_angle, standard_.of_angle})
        beside_.push_back(rounded({.tables = {of_cosines, of_sines}}));
  }

  const Candidate& candidate_;
  const Setting& setting_;
  const Observation& observation_;
  const Standard& standard_;
  double move_;
  bool is_one_of_several_;
  double of_result_;
  Fit& fit_;
  std::vector<Index> planes_;    // [columns], of what is emulated
  std::vector<double> factors_;  // [H], where slopes are
  // The rows that are looked at: what positions that were moved make of them, and angles beside those that were
  // rounded, as far as something has asked for them.
  Index first_ = 0, count_ = 0;
  bool knows_moved_ = false;
  std::vector<double> shown_, up_, down_, middle_;
  std::vector<std::vector<double>> beside_;
};

}  // namespace

Fit compare(const Candidate& candidate, const Evidence& evidence, const Standard& standard, Rows rows) {
  Fit fit;
  fit.precision = standard.precision;
  fit.inside = true;
  fit.largest_difference = -1;
  const Setting setting = setting_of(evidence, evidence.positions);
  const double move = candidate.scheme->info().real_positions ? small_move(evidence.positions) : 0;
  for (const auto& observation : evidence.observations) {
    Comparison comparison(candidate, setting, *observation, standard, move, evidence.observations.size() > 1, fit);
    if (!comparison.can_be_made()) {
      fit.inside = false;
      break;
    }
    for (const auto& [first, count] : blocks_of(*observation, evidence.max_rows, rows)) {
      comparison.look_at(first, count);
      if (!fit.inside && rows == Rows::few && standard.format) return fit;
    }
  }
  fit.largest_difference = std::max(fit.largest_difference, 0.0);
  return fit;
}

Fit best_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards) {
  Fit nearest;
  nearest.largest_difference = std::numeric_limits<double>::infinity();
  std::optional<bool> comes_near, is_about_right;
  for (const Standard& standard : standards) {
    // What 16 bits do is small where nothing has gone round; emulating them takes long.
    if (standard.format && standard.precision.angles == Angles::slopes) {
      if (!is_about_right) is_about_right = distance_of(candidate, evidence) < near_in_16_bits;
      if (!*is_about_right) continue;
    } else if (standard.format) {
      if (!comes_near) comes_near = comes_near_slowly(candidate, evidence);
      if (!*comes_near) continue;
    }
    try {
      Fit fit = compare(candidate, evidence, standard, Rows::few);
      if (!standard.format) nearest = fit;
      if (!fit.inside) continue;
      fit = compare(candidate, evidence, standard, Rows::all);
      if (fit.inside) return fit;
      if (!standard.format) nearest = fit;
    } catch (const base::Error&) {
      continue;
    }
  }
  return nearest;
}

bool may_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards) {
  const Standard* loosest = nullptr;
  for (const Standard& standard : standards)
    if (!standard.format) loosest = &standard;
  try {
    return loosest && compare(candidate, evidence, *loosest, Rows::few).inside;
  } catch (const base::Error&) {
    return false;
  }
}

Fit whole_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards) {
  Fit fit = best_fit(candidate, evidence, standards);
  if (fit.inside) return fit;
  const auto loosest = std::find_if(standards.rbegin(), standards.rend(), [](const Standard& s) { return !s.format; });
  try {
    return compare(candidate, evidence, *loosest, Rows::all);
  } catch (const base::Error&) {
    return fit;
  }
}

}  // namespace poslab::identify
