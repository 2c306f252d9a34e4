// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, A axes of a position, P planes.
#include "compare/emulate.hpp"

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

double rounded_angle(double p, double w, Precision::Angles stage, const numerics::Format& format) {
  using Stage = Precision::Angles;
  const auto round_at = [&](Stage one, double x) {
    return stage == one || stage == Stage::all ? numerics::rounded(x, format) : x;
  };
  return round_at(Stage::angles, round_at(Stage::positions, p) * round_at(Stage::frequencies, w));
}

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
          const auto [a, b] = channels.planes[static_cast<std::size_t>(m)];
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

void predict_rounded(const Candidate& candidate, const Setting& setting, const Observation& observation,
                     const std::vector<Index>& plane_of_column, Precision::Angles stage, const numerics::Format& format,
                     Index first, Index count, std::span<double> out) {
  observation.predict(candidate, setting, first, count, out);
  const std::span<const double> w = candidate.scheme->inverse_frequency();
  const Index N = setting.positions.shape[0], A = setting.positions.shape[1];
  Array<double> positions{N, A};
  std::vector<double> shown(out.size());
  for (std::size_t m = 0; m < w.size(); ++m) {
    if (w[m] == 0 ||
        std::find(plane_of_column.begin(), plane_of_column.end(), static_cast<Index>(m)) == plane_of_column.end())
      continue;
    for (Index n = first; n < first + count; ++n)
      for (Index a = 0; a < A; ++a)
        positions(n, a) = rounded_angle(setting.positions(n, a), w[m], stage, format) / w[m];
    observation.predict(candidate, {positions, setting.context}, first, count, shown);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (plane_of_column[i % plane_of_column.size()] == static_cast<Index>(m)) out[i] = shown[i];
  }
  if (stage == Precision::Angles::all && observation.kind() != Kind::rotated)
    for (double& x : out) x = numerics::rounded(x, format);
}

}  // namespace poslab::identify
