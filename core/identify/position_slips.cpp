// SPDX-License-Identifier: Apache-2.0
// Positions that are other than they should be.
#include <algorithm>
#include <cmath>

#include "slip_search.hpp"

namespace poslab::identify {
namespace {

constexpr Index rows_of_a_beginning = 8, rows_of_a_long_beginning = 32, max_ends_of_a_beginning = 16;

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

// The last two axes.
std::optional<Evidence> with_axes_exchanged(const Evidence& evidence) {
  const Index axes = evidence.positions.extent(1);
  if (axes < 2) return std::nullopt;
  Evidence corrected = evidence.copy();
  Array<double>& positions = corrected.positions;
  for (Index n = 0; n < positions.extent(0); ++n) std::swap(positions(n, axes - 1), positions(n, axes - 2));
  return corrected;
}

// Only its first tokens.
Evidence beginning_of(const Evidence& evidence, Index tokens) {
  Evidence beginning = evidence.copy();
  for (auto& array : beginning.observations)
    if (auto corner = array->of_first(tokens)) array = std::move(corner);
  beginning.max_rows = tokens;
  return beginning;
}

}  // namespace

std::vector<SlipRow> position_slips() {
  return {slip_in_positions({Slip::Kind::off_by_one, 1}, [](double p) { return p + 1; }),
          slip_in_positions({Slip::Kind::off_by_one, -1}, [](double p) { return p - 1; }),
          slip_in_arrays({Slip::Kind::twice, 2}, [](const auto& array) { return array->applied_twice(); }),
          slip_in_positions({Slip::Kind::twice, 2}, [](double p) { return 2 * p; }),
          slip_in_positions({Slip::Kind::sign}, [](double p) { return -p; }),
          {{Slip::Kind::axes_exchanged}, with_axes_exchanged}};
}

std::vector<SlipRow> ending_slips(View<const double> positions, Index end) {
  const double n = positions(end, 0), first = positions(0, 0), last = positions(end - 1, 0);
  return {
      slip_in_positions({Slip::Kind::restarts, n}, [=](double p) { return first + std::fmod(p - first, n - first); }),
      slip_in_positions({Slip::Kind::cut, last}, [=](double p) { return std::min(p, last); }),
      slip_in_positions({Slip::Kind::joined, n}, [=](double p) { return p < n ? p : 0; })};
}

std::optional<Explained> SlipSearch::after_good_beginning() {
  const Index N = evidence_.positions.extent(0);
  if (N < 4 || evidence_.positions.extent(1) != 1) return std::nullopt;
  for (const auto& array : evidence_.observations)
    if (!array->by_position() || (array->kind() == Kind::outputs && !evidence_.causal)) return std::nullopt;
  // A window does not show in a short beginning, and a long one may hold the slip.
  for (const Index tokens :
       {std::clamp<Index>(N / 4, 2, rows_of_a_beginning), std::min(N / 2, rows_of_a_long_beginning)}) {
    auto found = search(beginning_of(evidence_, tokens));
    if (!found) return std::nullopt;
    if (auto explained = after(*found)) return explained;
  }
  return std::nullopt;
}

std::optional<Explained> SlipSearch::after(Found& beginning) {
  const Fit whole = whole_fit(beginning.candidate, evidence_, standards_);
  if (!whole.departs || whole.departs->position < 0) return std::nullopt;
  // The first pair that is off may be farther from the beginning than what made it so.
  const bool of_pairs = whole.departs->key >= 0;
  const Index first_off = std::max(whole.departs->position, whole.departs->key);
  for (Index end = first_off; end >= 1 && end > first_off - (of_pairs ? max_ends_of_a_beginning : 1); --end)
    if (auto explained = ending_at(beginning, end)) return explained;
  return std::nullopt;
}

std::optional<Explained> SlipSearch::ending_at(Found& beginning, Index end) {
  for (const SlipRow& row : ending_slips(evidence_.positions, end)) {
    const Fit fit = fit_to(*row.corrected(evidence_), beginning);
    if (!fit.inside || fit.precision.is_emulated()) continue;
    beginning.fit = fit;
    return Explained{row.slip, std::move(beginning)};
  }
  return std::nullopt;
}

std::optional<Explained> SlipSearch::at_free_rows() {
  if (evidence_.observations.size() != 1 || evidence_.positions.extent(1) != 1) return std::nullopt;
  const auto end = first_unlike_its_neighbours(*evidence_.observations.front());
  if (!end) return std::nullopt;
  for (const SlipRow& row : ending_slips(evidence_.positions, *end))
    if (auto found = with_free_rows(*row.corrected(evidence_))) return Explained{row.slip, std::move(found)};
  return std::nullopt;
}

std::optional<Found> SlipSearch::with_free_rows(const Evidence& evidence) {
  std::optional<Found> best;
  for (const auto& plugin : plugins_) {
    const Maker maker(plugin, evidence);
    SchemeSearch scheme(maker, evidence, standards_, variants(maker, *plugin), few_combinations, Looks::for_a_fit);
    for (Found& found : scheme.take())
      if (found.fit.inside && found.weights == WeightsFrom::solved && found.solved.surplus() > 0 &&
          found.candidate.scheme->weights()[0].rank == 2 && (!best || is_plainer(found, *best)))
        best = std::move(found);
  }
  return best;
}

}  // namespace poslab::identify
