// SPDX-License-Identifier: Apache-2.0
#include "compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/emulate.hpp"
#include "poslab/base/error.hpp"
#include "search/variants.hpp"

namespace poslab::identify {
namespace {

using Angles = Precision::Angles;

constexpr double unit64 = 0x1p-53, unit32 = 0x1p-24;
// Roundings on the way to an angle: the exponent, times the logarithm of the base (16 for a base of 1e7), the power,
// the reciprocal, the product with the position.
constexpr double max_roundings = 20;
// The same of a plane of that frequency, whose exponent times the logarithm of the base is -ln w.
double roundings_of_plane(double w) { return w > 0 ? std::clamp(4 - std::log(w), 4.0, max_roundings) : 1; }
constexpr Index numbers_at_a_time = 1 << 18;
constexpr Index rows_near = 8, few_rows = 16, few_numbers = 4096;
constexpr double near = 3e-3;     // of a mean square
constexpr double too_far = 0.05;  // the same, of what float32 makes of angles of far positions
constexpr double angle_nudge = 4 * unit32;

double unit_of(const numerics::Format& format) { return std::ldexp(1.0, -format.significand_bits); }

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

bool all_are(const Evidence& evidence, const auto& holds) {
  for (const auto& observation : evidence.observations)
    for (const double x : observation->numbers())
      if (std::isfinite(x) && !holds(x)) return false;
  return true;
}

// Blocks of rows.
std::vector<std::pair<Index, Index>> blocks_of(const Observation& observation, Index max_rows, Rows rows) {
  const Index N = std::min(observation.rows(), max_rows), columns = std::max<Index>(1, observation.columns());
  std::vector<std::pair<Index, Index>> blocks;
  if (rows == Rows::all) {
    const Index step = std::max<Index>(1, numbers_at_a_time / columns);
    for (Index first = 0; first < N; first += step) blocks.emplace_back(first, std::min(step, N - first));
    return blocks;
  }
  if (N <= few_rows || N * columns <= few_numbers) return {{0, N}};
  blocks.emplace_back(0, std::min(std::clamp<Index>(few_numbers / columns, 2, 8), N));
  for (const Index first : {N / 16, N / 4, N / 2, N - 1})
    if (first >= blocks.back().first + blocks.back().second) blocks.emplace_back(first, 1);
  return blocks;
}

// Positions moved by h (1 + |p|), h small enough for no plane to rotate far.
struct Moved {
  Array<double> up, down;
  double by = 0;
};
Moved moved_of(View<const double> positions) {
  double largest = 0;
  for (const double p : positions.flat()) largest = std::max(largest, std::abs(p));
  Moved moved{Array<double>(positions.rank, positions.shape), Array<double>(positions.rank, positions.shape),
              1e-4 / (1 + largest)};
  for (Index i = 0; i < positions.size(); ++i) {
    const double p = positions.data[i], by = moved.by * (1 + std::abs(p));
    moved.up.data()[i] = p + by;
    moved.down.data()[i] = p - by;
  }
  return moved;
}

}  // namespace

std::vector<Standard> standards_for(const Evidence& evidence) {
  const char* stored = "float64";
  double unit = unit64;
  const auto holds = [](const numerics::Format& format) {
    return [&](double x) { return numerics::rounded(x, format) == x; };
  };
  if (all_are(evidence, [](double x) { return static_cast<double>(static_cast<float>(x)) == x; }))
    stored = "float32", unit = unit32;
  for (const numerics::Format* format : {&numerics::float16, &numerics::bfloat16})
    if (all_are(evidence, holds(*format))) stored = format->name, unit = unit_of(*format);
  std::vector<Standard> standards{{{Angles::float64, "", stored}, 2 * max_roundings * unit64, 16 * unit64, nullptr}};
  if (unit > unit64)
    standards.push_back({{Angles::rounded, "", stored}, 2 * max_roundings * unit64, 1.01 * unit32, nullptr});
  standards.push_back({{Angles::float32, "", stored}, max_roundings * unit32, 4 * unit32, nullptr});
  const double of_stored = std::max(4 * unit32, 1.01 * unit);
  if (unit > unit32) standards.push_back({{Angles::float32, "", stored}, max_roundings * unit32, of_stored, nullptr});
  for (const numerics::Format* format : {&numerics::bfloat16, &numerics::float16})
    for (const Angles stage : {Angles::frequencies, Angles::tables, Angles::angles, Angles::positions, Angles::all})
      standards.push_back({{stage, format->name, stored}, max_roundings * unit32, of_stored, format});
  return standards;
}

Fit compare(const Candidate& candidate, const Evidence& evidence, const Standard& standard, Rows rows) {
  Fit fit;
  fit.precision = standard.precision;
  fit.inside = true;
  double largest_share = -1;
  const Setting setting = setting_of(evidence, evidence.positions);
  const bool moves = candidate.scheme->info().real_positions;
  const Moved moved = moves ? moved_of(evidence.positions) : Moved();
  const double share = moves ? standard.of_angle / moved.by : 0;
  for (const auto& observation : evidence.observations) {
    const Index columns = observation->columns();
    std::vector<Index> planes;
    planes = planes_of_columns(candidate, setting, *observation);
    if (standard.format && planes.empty()) {
      fit.inside = false;
      return fit;
    }
    std::vector<double> of_angle(static_cast<std::size_t>(columns), 1);  // share of what is allowed at most
    for (std::size_t c = 0; c < planes.size(); ++c)
      if (planes[c] >= 0)
        of_angle[c] = roundings_of_plane(candidate.scheme->inverse_frequency()[static_cast<std::size_t>(planes[c])]) /
                      max_roundings;
    // An angle that lies between two of 16 bits may become either, by an error of float32 before.
    const bool rounds_angles =
        standard.format && (standard.precision.angles == Angles::angles || standard.precision.angles == Angles::all);
    const double of_result = standard.of_result * roundings_of(*observation) *
                             (candidate.scheme->weights().size() > 1 ? 8 : 1);  // networks have sums
    for (const auto& [first, count] : blocks_of(*observation, evidence.max_rows, rows)) {
      std::vector<double> shown(static_cast<std::size_t>(count * columns)), up, down, middle, lower, upper;
      if (standard.format)
        predict_rounded(candidate, setting, *observation, planes, {standard.precision.angles, *standard.format, 0},
                        first, count, shown);
      else
        observation->predict(candidate, setting, first, count, shown);
      if (moves && observation->by_position()) try {
          up.resize(shown.size()), down.resize(shown.size());
          observation->predict(candidate, {moved.up, setting.context}, first, count, up);
          observation->predict(candidate, {moved.down, setting.context}, first, count, down);
          middle = shown;
          if (standard.format) observation->predict(candidate, setting, first, count, middle);
        } catch (const base::Error&) {  // positions there are not served
          up.clear();
        }
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const Index row = first + static_cast<Index>(i) / columns, column = static_cast<Index>(i) % columns;
        const double seen = observation->number(row, column);
        if (std::isnan(seen)) continue;
        double allowed = of_result * std::max(observation->size(row, column), std::abs(shown[i]) * 0x1p-20);
        if (observation->relative()) allowed += standard.of_angle * std::abs(shown[i]);
        if (!up.empty())
          allowed +=
              share * std::abs(up[i] - down[i]) / 2 + share * share * std::abs(up[i] - 2 * middle[i] + down[i]) / 2;
        double difference = seen == shown[i] ? 0 : std::abs(seen - shown[i]);
        if (!(difference <= allowed) && rounds_angles) {
          if (lower.empty()) {
            lower.resize(shown.size()), upper.resize(shown.size());
            for (auto* other : {&lower, &upper})
              predict_rounded(
                  candidate, setting, *observation, planes,
                  {standard.precision.angles, *standard.format, other == &lower ? -angle_nudge : angle_nudge}, first,
                  count, *other);
          }
          difference = std::min({difference, std::abs(seen - lower[i]), std::abs(seen - upper[i])});
        }
        const bool outside = !(difference <= allowed);
        if (outside && !fit.departs) fit.departs = observation->place(row, column), fit.inside = false;
        if (!(difference <= largest_share)) {
          largest_share = difference;
          fit.largest_difference = difference, fit.allowed = allowed, fit.place = observation->place(row, column);
        }
      }
      if (!fit.inside && rows == Rows::few && standard.format) return fit;
    }
  }
  return fit;
}

Fit best_fit(const Candidate& candidate, const Evidence& evidence, const std::vector<Standard>& standards) {
  std::optional<Fit> nearest;
  std::optional<bool> comes_near;
  for (const Standard& standard : standards) {
    // What 16 bits do is small near the beginning; emulating them takes long.
    if (standard.format && !comes_near) comes_near = distance_of(candidate, evidence, rows_near) < near;
    if (standard.format && !*comes_near) break;
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
  if (nearest) return *nearest;
  return Fit{.named = {},
             .inside = false,
             .precision = {},
             .largest_difference = std::numeric_limits<double>::infinity(),
             .place = {},
             .departs = {}};
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

bool may_come_near(const Candidate& candidate, const Evidence& evidence) {
  const auto is_within = [&](double bound, Index max_rows) {
    return std::isfinite(distance_of(candidate, evidence, max_rows, bound));
  };
  return is_within(too_far, std::numeric_limits<Index>::max()) || is_within(near, rows_near);
}

double distance_of(const Candidate& candidate, const Evidence& evidence, Index max_rows, double bound) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Setting setting = setting_of(evidence, evidence.positions);
  double sum = 0, count = 0, numbers = 0;
  const Index most = std::min(max_rows, evidence.max_rows);
  for (const auto& observation : evidence.observations)
    for (const auto& [first, rows] : blocks_of(*observation, most, Rows::few))
      numbers += static_cast<double>(rows * observation->columns());
  std::vector<double> shown;
  try {
    for (const auto& observation : evidence.observations) {
      auto blocks = blocks_of(*observation, most, Rows::few);
      if (std::isfinite(bound) && blocks.size() == 1 && blocks[0].second > 1)  // one row is most often enough
        blocks = {{0, blocks[0].second - 1}, {blocks[0].second - 1, 1}};
      std::reverse(blocks.begin(), blocks.end());  // far positions tell most
      for (const auto& [first, rows] : blocks) {
        shown.resize(static_cast<std::size_t>(rows * observation->columns()));
        observation->predict(candidate, setting, first, rows, shown);
        for (std::size_t i = 0; i < shown.size(); ++i) {
          const Index row = first + static_cast<Index>(i) / observation->columns(),
                      column = static_cast<Index>(i) % observation->columns();
          const double seen = observation->number(row, column), size = observation->size(row, column);
          if (!std::isfinite(seen)) continue;
          const double off = (shown[i] - seen) / (size > 0 ? size : 1);
          sum += std::min(off * off, 100.0);
          count += 1;
        }
        if (sum > bound * numbers) return never;
      }
    }
  } catch (const base::Error&) {
    return never;
  }
  return count > 0 && std::isfinite(sum) ? sum / count : never;
}

}  // namespace poslab::identify
