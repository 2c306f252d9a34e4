// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, A axes of a position, P planes.
#include "compare/emulate.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"

namespace poslab::identify {
namespace {

// The frequency of a column that is a wave: f(p + h) + f(p - h) = 2 f(p) cos(w h).
std::vector<Index> planes_of_waves(const Candidate& candidate, const Setting& setting, const Observation& table,
                                   std::span<const double> w) {
  constexpr double at = 1.3, h = 0.5;
  std::vector<std::vector<double>> f(3, std::vector<double>(static_cast<std::size_t>(table.columns())));
  for (int i = 0; i < 3; ++i) {
    Array<double> position{1, setting.positions.shape[1]};
    position.fill(at + (i - 1) * h);
    table.predict(candidate, {position, setting.context}, 0, 1, f[static_cast<std::size_t>(i)]);
  }
  std::vector<Index> planes;
  for (std::size_t c = 0; c < f[1].size(); ++c) {
    const double cosine = f[1][c] == 0 ? 2 : (f[0][c] + f[2][c]) / (2 * f[1][c]);
    const double found = std::acos(std::clamp(cosine, -1.0, 1.0)) / h;
    Index nearest = -1;
    for (std::size_t m = 0; m < w.size(); ++m)
      if (nearest < 0 || std::abs(w[m] - found) < std::abs(w[static_cast<std::size_t>(nearest)] - found))
        nearest = static_cast<Index>(m);
    // Slow waves have cosines near 1, which say little: columns stand in the order of their planes.
    planes.push_back(std::abs(cosine) > 1.5 ? -1 : nearest);
  }
  const auto P = static_cast<Index>(w.size());
  const auto count = static_cast<Index>(planes.size());
  const bool halves = count > 1 && P > 1 && planes[1] != planes[0];
  for (Index c = 0; c < std::min(count, 2 * P); ++c) planes[static_cast<std::size_t>(c)] = halves ? c % P : c / 2;
  return planes;
}

double rounded_angle(double p, double w, const Rounding& rounding) {
  using Stage = Precision::Angles;
  const auto round_at = [&](Stage one, double x) {
    return rounding.stage == one || rounding.stage == Stage::all ? numerics::rounded(x, rounding.format) : x;
  };
  const double angle = round_at(Stage::positions, p) * round_at(Stage::frequencies, w);
  return round_at(Stage::angles, angle * (1 + rounding.nudge.before));
}
// Where the scheme itself has that angle.
double position_of_angle(double angle, double w, const Rounding& rounding) {
  const double p = angle / w;
  return p + rounding.nudge.after.value_or(0) * (1 + std::abs(p));
}

// One plane of an observation at other positions, for rows first .. first + count - 1.
class Plane {
 public:
  Plane(const Candidate& candidate, const host::Context& context, const Observation& observation,
        std::vector<Index> columns)
      : candidate_(candidate), context_(context), observation_(observation), columns_(std::move(columns)) {}

  // `positions` [N, A] are right at these rows.
  void predict(View<const double> positions, Index first, Index count, std::span<double> out) const {
    if (observation_.is_of_position_alone() && positions.shape[1] == 1)
      return predict_each_position_once(positions, first, count, out);
    in_chunks(positions, first, count, [&](Index row, const double* numbers) {
      for (const Index c : columns_) out[static_cast<std::size_t>((row - first) * columns() + c)] = numbers[c];
    });
  }

 private:
  static constexpr Index rows_at_a_time = 128;  // of which all numbers lie near the processor
  Index columns() const { return observation_.columns(); }

  template <class Take>
  void in_chunks(View<const double> positions, Index first, Index count, const Take& take) const {
    std::vector<double> shown(static_cast<std::size_t>(std::min(count, rows_at_a_time) * columns()));
    for (Index from = first; from < first + count; from += rows_at_a_time) {
      const Index rows = std::min(rows_at_a_time, first + count - from);
      observation_.predict(candidate_, {positions, context_}, from, rows,
                           std::span(shown).first(static_cast<std::size_t>(rows * columns())));
      for (Index n = 0; n < rows; ++n) take(from + n, shown.data() + n * columns());
    }
  }
  // In 16 bits many angles are the same.
  void predict_each_position_once(View<const double> positions, Index first, Index count, std::span<double> out) const {
    std::vector<double> distinct(positions.data + first, positions.data + first + count);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    const auto kinds = static_cast<Index>(distinct.size());
    std::vector<double> numbers;  // [kinds, columns of the plane]
    in_chunks({distinct.data(), {kinds, 1}}, 0, kinds, [&](Index, const double* shown) {
      for (const Index c : columns_) numbers.push_back(shown[c]);
    });
    for (Index n = 0; n < count; ++n) {
      const auto kind =
          std::lower_bound(distinct.begin(), distinct.end(), positions.data[first + n]) - distinct.begin();
      for (std::size_t c = 0; c < columns_.size(); ++c)
        out[static_cast<std::size_t>(n * columns() + columns_[c])] =
            numbers[static_cast<std::size_t>(kind) * columns_.size() + c];
    }
  }

  const Candidate& candidate_;
  const host::Context& context_;
  const Observation& observation_;
  std::vector<Index> columns_;
};

}  // namespace

std::vector<Index> planes_of_columns(const Candidate& candidate, const Setting& setting,
                                     const Observation& observation) {
  const std::span<const double> w = candidate.scheme->inverse_frequency();
  if (w.empty() || !candidate.scheme->info().real_positions) return {};
  const auto P = static_cast<Index>(w.size());
  std::vector<Index> planes(static_cast<std::size_t>(observation.columns()), -1);
  try {
    switch (observation.kind()) {
      case Kind::cosines:
      case Kind::sines:
        for (Index c = 0; c < observation.columns(); ++c)
          planes[static_cast<std::size_t>(c)] = observation.place(0, c).plane;
        break;
      case Kind::rotated: {
        const PlaneChannels channels = plane_channels(candidate, setting, P);
        const Index K = candidate.scheme->model().head_width();
        std::vector<Index> of_channel(static_cast<std::size_t>(K), -1);
        for (Index m = 0; m < P; ++m) {
          const auto [a, b] = channels[static_cast<std::size_t>(m)];
          of_channel[static_cast<std::size_t>(a)] = of_channel[static_cast<std::size_t>(b)] = m;
        }
        for (Index c = 0; c < observation.columns(); ++c)
          planes[static_cast<std::size_t>(c)] = of_channel[static_cast<std::size_t>(c % K)];
        break;
      }
      case Kind::table:
        if (setting.positions.shape[1] != 1) return {};
        planes = planes_of_waves(candidate, setting, observation, w);
        break;
      default: return {};
    }
  } catch (const base::Error&) {
    return {};
  }
  for (const Index plane : planes)
    if (plane >= P) return {};
  return planes;
}

std::vector<double> factors_of_rounded_slopes(const Candidate& candidate, const Setting& setting,
                                              const Observation& observation, const numerics::Format& format) {
  if ((observation.kind() != Kind::bias && observation.kind() != Kind::slopes) || setting.positions.shape[1] != 1)
    return {};
  constexpr double same = 1e-12;
  const Index H = candidate.scheme->model().heads;
  Array<double> query{1, 1}, keys{3, 1}, bias{H, 1, 3};
  for (Index j = 0; j < 3; ++j) keys(j, 0) = static_cast<double>(j);
  query(0, 0) = 2;
  std::vector<double> factors;
  try {
    candidate.scheme->bias<double>(setting.context, {query, keys, 2}, candidate.views(), bias);
  } catch (const base::Error&) {
    return {};
  }
  for (Index h = 0; h < H; ++h) {
    const double slope = bias(h, 0, 1);
    if (bias(h, 0, 2) != 0 || slope == 0 || std::abs(bias(h, 0, 0) - 2 * slope) > same * std::abs(slope)) return {};
    factors.push_back(numerics::rounded(slope, format) / slope);
  }
  return factors;
}

void predict_rounded(const Candidate& candidate, const Setting& setting, const Observation& observation,
                     const std::vector<Index>& plane_of_column, const Rounding& rounding, Index first, Index count,
                     std::span<double> out) {
  if (rounding.stage == Precision::Angles::tables &&
      observation.predict_with_rounded_tables(candidate, setting, rounding.format, rounding.nudge.tables, first, count,
                                              out))
    return;
  observation.predict(candidate, setting, first, count, out);
  if (rounding.stage == Precision::Angles::tables) return;
  const std::span<const double> w = candidate.scheme->inverse_frequency();
  const Index N = setting.positions.shape[0], A = setting.positions.shape[1];
  tbb::parallel_for(std::size_t{0}, w.size(), [&](std::size_t m) {
    std::vector<Index> of_plane;
    for (std::size_t c = 0; c < plane_of_column.size(); ++c)
      if (plane_of_column[c] == static_cast<Index>(m)) of_plane.push_back(static_cast<Index>(c));
    if (w[m] == 0 || of_plane.empty()) return;
    Array<double> positions{N, A};
    for (Index n = first; n < first + count; ++n)
      for (Index a = 0; a < A; ++a)
        positions(n, a) = position_of_angle(rounded_angle(setting.positions(n, a), w[m], rounding), w[m], rounding);
    Plane(candidate, setting.context, observation, std::move(of_plane)).predict(positions, first, count, out);
  });
  if (rounding.stage == Precision::Angles::all && observation.kind() != Kind::rotated && !rounding.nudge.after)
    for (double& x : out) x = numerics::rounded(x, rounding.format);
}

}  // namespace poslab::identify
