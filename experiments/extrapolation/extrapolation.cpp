// SPDX-License-Identifier: Apache-2.0
// What happens beyond the trained length? Definitions: extrapolation.md.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "attention_beyond.hpp"
#include "codes.hpp"
#include "extrapolation.hpp"
#include "grid.hpp"
#include "measured_positions.hpp"
#include "novelty.hpp"
#include "planes.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "untrained.hpp"

namespace poslab::experiments {
namespace extrapolation {

Axes<Extrapolation> Extrapolation::axes() {
  return {
      {&Extrapolation::train_length,
       {.name = "train_length",
        .default_value = 512,
        .range = from_one,
        .unit = "position",
        .sentence = "L: the length that training shows, positions 0 to L - 1"}},
      {&Extrapolation::points,
       {.name = "points",
        .default_value = 32,
        .range = from_one,
        .unit = "position",
        .sentence = "about how many positions are measured in each trained length; from L on, every one"}},
      {&Extrapolation::dtype, dtype_axis()},
      {&Extrapolation::multiple,
       {.name = "multiple",
        .default_value = {1, 2, 4, 8},
        .range = {.lowest = 1, .highest = 1e6},
        .sentence = "context lengths over L; a position is measured in the shortest of these contexts that holds it"}},
  };
}

namespace {

void record_defined(const std::vector<MeasuredPosition>& measured, Output& out) {
  std::vector<double> positions, defined;
  for (const MeasuredPosition& one : measured) {
    positions.push_back(static_cast<double>(one.position));
    defined.push_back(one.defined ? 1 : 0);
  }
  out.coordinate<Position>(positions);
  out.set(Extrapolation::defined, defined);
}

template <class S>
void record_novelty(const Extrapolation& at, const ExperimentInput& input,
                    const std::vector<MeasuredPosition>& measured, Output& out) {
  const Codes codes = draw_codes<S>(at, input, measured);
  std::vector<double> distances = nearest_distances(codes.tested(), codes.trained());
  for (double& distance : distances)
    if (distance <= codes.rounding) distance = 0;
  const double unit = neighbour_distance(codes.trained());
  std::vector<double> curve;
  auto distance = distances.begin();
  for (const MeasuredPosition& one : measured)
    curve.push_back(one.defined ? novelty(*distance++, unit) : std::numeric_limits<double>::quiet_NaN());
  out.set(Extrapolation::novelty, curve);

  std::vector<double> moved, times;
  for (const Index multiple : at.multiples()) times.push_back(static_cast<double>(multiple));
  for (const double distance_moved : codes.moved) moved.push_back(novelty(distance_moved, unit));
  out.coordinate<Multiple>(times);
  out.set(Extrapolation::context_change, moved);
}

template <class S>
void record_attention(const Extrapolation& at, const ExperimentInput& input,
                      const std::vector<MeasuredPosition>& measured, Output& out) {
  const AttentionBeyond beyond = attention_beyond<S>(at, input, measured);
  std::vector<double> excess;
  for (std::size_t i = 0; i < measured.size(); ++i)
    excess.push_back(beyond.logit_drift[i] - beyond.logit_drift_none[i]);
  out.set(Extrapolation::logit_drift, beyond.logit_drift);
  out.set(Extrapolation::logit_drift_none, beyond.logit_drift_none);
  out.set(Extrapolation::logit_drift_excess, excess);
  out.set(Extrapolation::equal_drift, beyond.equal_drift);
  out.set(Extrapolation::effective_window, beyond.effective_window);
}

void record_planes(const Extrapolation& at, const ExperimentInput& input, Output& out) {
  const Index L = at.train_length;
  const host::Weights<double> weights = draw_weights<double>(input);
  const auto rotating = planes(input.scheme, {L, L, true}, weights.layer(0));
  if (!rotating) return;
  out.set(Extrapolation::unseen_planes, unseen(*rotating, L).planes);
  out.set(Extrapolation::unseen_phase, unseen(*rotating, L).phase);
}

std::optional<base::Refusal> why_not_so_many(const data::Placement& grid, Index multiple) {
  double cells = 1;
  for (const std::int64_t extent : grid.extents) cells *= static_cast<double>(extent) * static_cast<double>(multiple);
  if (cells <= 1 << 20) return std::nullopt;
  return fmt::format("{} times the extents of positions = {} are {:.0f} cells, but at most {} are measured", multiple,
                     grid.text(), cells, 1 << 20);
}

// The largest grid that is measured.
data::Placement measured_grid(const Extrapolation& at, const Setting& of) {
  data::Placement largest = of.placement;
  for (const Index multiple : at.multiples())
    if (const data::Placement grid = times(of.placement, multiple); serves_last_cell(of.scheme, grid)) largest = grid;
  return largest;
}

data::Estimate estimate_grid(const Needs& needs, bool of_offsets, const data::Placement& largest,
                             const data::Placement& grid) {
  const auto [G, N] = reckoned(*largest.count(), *grid.count());
  const double W = of_offsets ? needs.offset_width() : needs.code_width();
  return {needs.bytes * (of_offsets ? needs.offset_signatures(G) : needs.position_signatures(G)) + 8 * G * (2 * W + 12),
          (of_offsets ? needs.probe_offsets(G) : needs.encode(G) + needs.transform(G)) + needs.products(G * N * W) +
              50 * G * W};
}

}  // namespace

void Extrapolation::run(const ExperimentInput& input, Output& out) const {
  if (input.placement.is_grid()) {
    with_dtype(dtype, [&]<class S>(S) { record_grid<S>(*this, input, out); });
    return;
  }
  const std::vector<MeasuredPosition> measured = measured_positions(*this, input.scheme);
  record_defined(measured, out);
  if (knows_untrained(input.scheme)) out.set(untrained, untrained_at(*this, input, measured));
  record_planes(*this, input, out);
  with_dtype(dtype, [&]<class S>(S) {
    record_novelty<S>(*this, input, measured, out);
    record_attention<S>(*this, input, measured, out);
  });
}

std::optional<base::Refusal> Extrapolation::why_skip(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const data::Placement& placement = of.placement;
  if (!placement.is_plain() && !placement.is_grid())
    return fmt::format("extrapolation goes from position 0 to beyond train_length: that is not asked of positions = {}",
                       placement.text());
  if (multiple.empty()) return "the list of multiples is empty: there is no context to look at";
  for (const double times : multiple)
    if (times != std::trunc(times))
      return fmt::format("a multiple is a whole number of trained lengths, but {} is asked for", times);
  if (auto refusal = attention::why_no_signature(scheme, attention::natural_kind(scheme))) return refusal;
  if (auto refusal = why_not_finite(scheme, "distances and means of its numbers mean nothing")) return refusal;
  const Index most = multiples().back();
  const auto L = static_cast<double>(train_length);
  if (placement.is_grid()) return why_not_so_many(placement, most);
  if (const double last = L * static_cast<double>(most); last > 0x1p53)
    return fmt::format("{} times the trained length are {:.4g} positions, more than can be counted exactly", most,
                       last);
  if (auto refusal = scheme.why_not_mask(true)) return refusal;
  return scheme.why_not_positions(0, L - 1);
}

// Codes of all contexts that differ, and in double those that are compared; once more with other weights, where it is
// asked which are untrained. Then keys of two kinds, a sequence of them, and the logits of some queries.
data::Estimate Extrapolation::estimate(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const Needs needs(scheme, dtype);
  const bool of_offsets = attention::natural_kind(scheme) == attention::SignatureKind::offset;
  if (of.placement.is_grid()) return estimate_grid(needs, of_offsets, measured_grid(*this, of), of.placement);
  const std::vector<Index> all = multiples();
  const auto [L, longest, before] = reckoned(train_length, all.back(), all.size() > 1 ? all[all.size() - 2] : 0);
  const double N = L * longest, in_each = std::min(L, static_cast<double>(points)), measured = in_each * longest;
  double tokens = 0;
  for (const Index times_L : all) tokens += static_cast<double>(served(scheme, train_length * times_L));
  if (same_in_all_contexts(scheme)) tokens = N;
  const double W = of_offsets ? needs.offset_width() : needs.code_width(), rows = (L + measured) * W,
               codes = of_offsets ? needs.offset_blocks(tokens) + needs.offset_signatures(N) : tokens * W;
  double compared = needs.bytes * codes + 8 * (rows + 64 * L);
  if (knows_untrained(scheme) && scheme.has_trainable_weights()) compared = 8 * (codes + 3 * rows + 3 * needs.weights);
  const double queries = std::min(256.0, in_each * (longest - before)),
               attending =
                   needs.bytes * (5 * N * needs.D + needs.logits(queries, N) + (needs.scores ? N * needs.D : 0));
  const double looks = L * L / 2 + measured * N / 2;
  return {std::max(compared, attending),
          needs.draw(N * needs.D) + 3 * (needs.code(N) + needs.attend(looks) + 15 * needs.H * looks) +
              needs.products(measured * L * W) + (of_offsets ? needs.probe_offsets(tokens) : 10 * codes)};
}

}  // namespace extrapolation

Experiment make_extrapolation() { return experiment_of<extrapolation::Extrapolation>(); }

}  // namespace poslab::experiments
