// SPDX-License-Identifier: Apache-2.0
// How far a variant is from a dump, from few rows of it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/compare.hpp"
#include "compare/emulate.hpp"
#include "compare/rows.hpp"
#include "poslab/base/error.hpp"
#include "search/variants.hpp"

namespace poslab::identify {
namespace {

constexpr Index numbers_at_a_time = 1 << 18;
constexpr Index rows_near = 8, few_rows = 16, few_numbers = 4096;
constexpr double too_far = 0.05;  // the same, of what float32 makes of angles of far positions
// Angles at which 16 bits change little, and something else would change much.
constexpr double min_telling_angle = 0.125, max_near_angle = 8;

}  // namespace

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

bool comes_near_slowly(const Candidate& candidate, const Evidence& evidence) {
  const Setting setting = setting_of(evidence, evidence.positions);
  const std::span<const double> w = candidate.scheme->inverse_frequency();
  double sum = 0, count = 0;
  std::vector<double> shown;
  try {
    for (const auto& observation : evidence.observations) {
      const std::vector<Index> planes = planes_of_columns(candidate, setting, *observation);
      if (planes.empty()) return false;
      for (const auto& [first, rows] : blocks_of(*observation, evidence.max_rows, Rows::few)) {
        shown.resize(static_cast<std::size_t>(rows * observation->columns()));
        observation->predict(candidate, setting, first, rows, shown);
        for (std::size_t i = 0; i < shown.size(); ++i) {
          const Index row = first + static_cast<Index>(i) / observation->columns(),
                      column = static_cast<Index>(i) % observation->columns();
          const Index plane = planes[static_cast<std::size_t>(column)];
          if (plane < 0) continue;
          double angle = 0;
          for (Index axis = 0; axis < setting.positions.shape[1]; ++axis)
            angle = std::max(angle, std::abs(setting.positions(row, axis) * w[static_cast<std::size_t>(plane)]));
          if (angle < min_telling_angle || angle > max_near_angle) continue;
          const double seen = observation->number(row, column), size = observation->size(row, column);
          const double off = (shown[i] - seen) / (size > 0 ? size : 1);
          sum += off * off, count += 1;
        }
      }
    }
  } catch (const base::Error&) {
    return false;
  }
  return count > 0 ? sum < near_in_16_bits * count : distance_of(candidate, evidence, rows_near) < near_in_16_bits;
}

bool may_come_near(const Candidate& candidate, const Evidence& evidence) {
  const auto is_within = [&](double bound, Index max_rows) {
    return std::isfinite(distance_of(candidate, evidence, max_rows, bound));
  };
  return is_within(too_far, std::numeric_limits<Index>::max()) || is_within(near_in_16_bits, rows_near);
}

double distance_of(const Candidate& candidate, const Evidence& evidence, Index max_rows, double bound, Rows which) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Setting setting = setting_of(evidence, evidence.positions);
  double sum = 0, count = 0, numbers = 0;
  const Index most = std::min(max_rows, evidence.max_rows);
  for (const auto& observation : evidence.observations)
    for (const auto& [first, rows] : blocks_of(*observation, most, which))
      numbers += static_cast<double>(rows * observation->columns());
  std::vector<double> shown;
  try {
    for (const auto& observation : evidence.observations) {
      auto blocks = blocks_of(*observation, most, which);
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
