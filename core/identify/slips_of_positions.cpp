// SPDX-License-Identifier: Apache-2.0
// Positions that are other than they should be.
#include "explanations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poslab::identify {
namespace {

constexpr Index rows_of_a_beginning = 8, rows_of_a_long_beginning = 32, max_ends_of_a_beginning = 16;

Array<double> mapped(View<const double> positions, const std::function<double(double)>& map) {
  Array<double> out(positions.rank, positions.shape);
  for (Index i = 0; i < positions.size(); ++i) out.data()[i] = map(positions.data[i]);
  return out;
}

// Positions from the token of index `end` on are other than they should be.
struct Way {
  Slip slip;
  std::function<double(double)> map;
};
std::vector<Way> ways_to_end(View<const double> positions, Index end) {
  const double n = positions(end, 0), first = positions(0, 0), last = positions(end - 1, 0);
  return {{{Slip::Kind::restarts, n}, [=](double p) { return first + std::fmod(p - first, n - first); }},
          {{Slip::Kind::cut, last}, [=](double p) { return std::min(p, last); }},
          {{Slip::Kind::joined, n}, [=](double p) { return p < n ? p : 0; }}};
}

// The first token whose bias to or from the one before is not that of the first two.
std::optional<Index> first_unlike_its_neighbours(const Observation& bias) {
  const Index N = bias.rows(), H = N > 0 ? bias.columns() / N : 0;
  if (bias.kind() != Kind::bias || N < 3 || H * N != bias.columns()) return std::nullopt;
  const auto differ = [](double x, double y) { return !std::isnan(x) && !std::isnan(y) && x != y; };
  for (Index n = 2; n < N; ++n)
    for (Index h = 0; h < H; ++h)
      if (differ(bias.number(n, h * N + n - 1), bias.number(1, h * N)) ||
          differ(bias.number(n - 1, h * N + n), bias.number(0, h * N + 1)))
        return n;
  return std::nullopt;
}

}  // namespace

std::optional<Explained> Explanations::at_positions(const Slip& slip, const std::function<double(double)>& map) {
  Array<double> kept = std::move(evidence_.positions);
  evidence_.positions = mapped(kept, map);
  auto found = search();
  evidence_.positions = std::move(kept);
  if (!found) return std::nullopt;
  return Explained{slip, std::move(*found)};
}

std::optional<Explained> Explanations::with_axes_exchanged() {
  if (evidence_.positions.extent(1) < 2) return std::nullopt;
  Array<double> kept = std::move(evidence_.positions);
  evidence_.positions = kept.copy();
  const Index last = kept.extent(1) - 1;
  for (Index n = 0; n < kept.extent(0); ++n) std::swap(evidence_.positions(n, last), evidence_.positions(n, last - 1));
  auto found = search();
  evidence_.positions = std::move(kept);
  if (!found) return std::nullopt;
  return Explained{{Slip::Kind::axes_exchanged}, std::move(*found)};
}

std::optional<Explained> Explanations::after_a_good_beginning() {
  const Index N = evidence_.positions.extent(0);
  if (N < 4 || evidence_.positions.extent(1) != 1) return std::nullopt;
  for (const auto& one : evidence_.observations)
    if (!one->by_position() || (one->kind() == Kind::outputs && !evidence_.causal)) return std::nullopt;
  // A window does not show in a short beginning, and a long one may hold the slip.
  for (const Index tokens :
       {std::clamp<Index>(N / 4, 2, rows_of_a_beginning), std::min(N / 2, rows_of_a_long_beginning)}) {
    auto found = of_beginning(tokens);
    if (!found) return std::nullopt;
    if (auto explained = after(*found)) return explained;
  }
  return std::nullopt;
}

std::optional<Explained> Explanations::after(Found& beginning) {
  const Fit whole = whole_fit(beginning.candidate, evidence_, standards_);
  if (!whole.departs || whole.departs->position < 0) return std::nullopt;
  // The first pair that is off may be farther from the beginning than what made it so.
  const bool of_pairs = whole.departs->key >= 0;
  const Index first_off = std::max(whole.departs->position, whole.departs->key);
  for (Index end = first_off; end >= 1 && end > first_off - (of_pairs ? max_ends_of_a_beginning : 1); --end)
    if (auto explained = with_another_end(beginning, end)) return explained;
  return std::nullopt;
}

std::optional<Found> Explanations::of_beginning(Index tokens) {
  const auto kept = evidence_.observations;
  for (auto& observation : evidence_.observations)
    if (auto corner = observation->of_first(tokens)) observation = std::move(corner);
  evidence_.max_rows = tokens;
  auto found = search();
  evidence_.max_rows = std::numeric_limits<Index>::max();
  evidence_.observations = kept;
  return found;
}

std::optional<Explained> Explanations::with_another_end(Found& found, Index end) {
  for (const Way& way : ways_to_end(evidence_.positions, end)) {
    const Named named = found.fit.named;
    Array<double> kept = std::move(evidence_.positions);
    evidence_.positions = mapped(kept, way.map);
    found.fit = best_fit(found.candidate, evidence_, standards_);
    found.fit.named = named;
    evidence_.positions = std::move(kept);
    if (found.fit.inside && !found.fit.precision.is_emulated()) return Explained{way.slip, std::move(found)};
  }
  return std::nullopt;
}

std::optional<Explained> Explanations::of_rows_that_end() {
  if (evidence_.observations.size() != 1 || evidence_.positions.extent(1) != 1) return std::nullopt;
  const auto end = first_unlike_its_neighbours(*evidence_.observations.front());
  if (!end) return std::nullopt;
  for (const Way& way : ways_to_end(evidence_.positions, *end)) {
    Array<double> kept = std::move(evidence_.positions);
    evidence_.positions = mapped(kept, way.map);
    auto found = of_rows();
    evidence_.positions = std::move(kept);
    if (found) return Explained{way.slip, std::move(found)};
  }
  return std::nullopt;
}

std::optional<Found> Explanations::of_rows() {
  std::optional<Found> best;
  for (const auto& plugin : plugins_) {
    const Maker maker(plugin, evidence_);
    SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations, Looks::for_a_fit);
    for (Found& found : scheme.take())
      if (found.fit.inside && found.weights == WeightsFrom::solved && found.solved.surplus() > 0 &&
          found.candidate.scheme->weights()[0].rank == 2 && (!best || is_plainer(found, *best)))
        best = std::move(found);
  }
  return best;
}

}  // namespace poslab::identify
