// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, W width of a code, H heads.
#include "effective-dimension.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "poslab/attention/position_score.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/decompositions.hpp"
#include "spectrum.hpp"

namespace poslab::experiments {
namespace effective_dimension {
namespace {

double largest_of(View<const double> a) {
  double largest = 0;
  for (const double x : a.flat()) largest = std::max(largest, std::abs(x));
  return largest;
}

void require_finite(View<const double> a, const std::string& what) {
  for (const double x : a.flat())
    if (!std::isfinite(x)) throw data::not_finite(what, "one of its entries", x);
}

// What is left of a mean that is all there is: rounding, of which no direction says anything.
Array<double> without_rounding(Array<double> centred, double largest) {
  if (largest_of(centred) <= 1e-13 * largest) centred.fill(0);
  return centred;
}

Array<double> codes(const ExperimentInput& input, View<const double> positions,
                    std::span<const View<const double>> weights) {
  const Index N = positions.shape[0];
  const host::Context context = input.scheme.context(N);
  if (attention::natural_kind(input.scheme) == attention::SignatureKind::position)
    return attention::position_signatures<double>(input.scheme, context, positions, weights);
  const std::vector<Index> extents = input.placement.is_grid() ? input.placement.extents : std::vector<Index>{N};
  const Index query = attention::query_of(attention::Offsets::causal, extents);
  return attention::offset_signatures<double>(input.scheme, context, positions, query, weights);
}

void record_codes(const Array<double>& phi, Output& out) {
  require_finite(phi, "the matrix of codes");
  const std::vector<double> eigenvalues = gram_eigenvalues(phi);
  out.coordinate<Order>(numbers_below(std::ssize(eigenvalues)));
  out.set(EffectiveDimension::participation, participation(eigenvalues));
  out.set(EffectiveDimension::participation_centred,
          participation(gram_eigenvalues(without_rounding(less_mean_of_columns(phi), largest_of(phi)))));
  out.set(EffectiveDimension::directions_99, static_cast<double>(directions(eigenvalues, 0.99)));
  out.set(EffectiveDimension::spectrum, normalised(eigenvalues));
}

// Half of the scores is nothing that attention sees where there is always a causal mask: they are no matrix.
bool has_kernel(const host::Scheme& scheme) { return scheme.mask() != host::Mask::causal_only; }

struct OfHead {
  double participation = 0, centred = 0;
  std::vector<double> spectrum;  // [N]
};

OfHead of_head(View<const double> scores) {
  require_finite(scores, "the position scores");
  const std::vector<double> values = numerics::singular_values(scores);
  const Array<double> centred = without_rounding(less_mean_of_rows(scores), largest_of(scores));
  return {participation(values), participation(numerics::singular_values(centred)), normalised(values)};
}

void record_kernel(const ExperimentInput& input, View<const double> positions, std::vector<View<const double>> weights,
                   Output& out) {
  const Index N = positions.shape[0];
  const attention::PositionScores<double> scores(input.scheme, input.scheme.context(N), positions, std::move(weights));
  const Index H = scores.heads();
  Array<double> all{H, N, N};
  scores.rows(0, all);
  std::vector<OfHead> heads(static_cast<std::size_t>(H));
  tbb::parallel_for(Index{0}, H, [&](Index h) { heads[static_cast<std::size_t>(h)] = of_head(all.view()[h]); });
  std::vector<double> participations, centred, spectra;
  for (const OfHead& head : heads) {
    participations.push_back(head.participation);
    centred.push_back(head.centred);
    spectra.insert(spectra.end(), head.spectrum.begin(), head.spectrum.end());
  }
  out.coordinate<Head>(numbers_below(std::ssize(heads)));
  out.coordinate<Rank>(numbers_below(N));
  out.set(EffectiveDimension::kernel_participation, participations);
  out.set(EffectiveDimension::kernel_participation_centred, centred);
  out.set(EffectiveDimension::kernel_spectrum, spectra);
}

}  // namespace

void EffectiveDimension::run(const ExperimentInput& input, Output& out) const {
  const Array<double> positions = input.positions(length);
  const host::Weights<double> weights = draw_weights<double>(input);
  const std::vector<View<const double>> views = weights.layer(0);
  if (!attention::looks_at_content(input.scheme)) record_codes(codes(input, positions, views), out);
  if (has_kernel(input.scheme)) record_kernel(input, positions, views, out);
}

std::optional<base::Refusal> EffectiveDimension::why_skip(const Setting& of) const {
  if (auto refusal = why_not_finite(of.scheme, "its scores have no spectrum")) return refusal;
  if (attention::looks_at_content(of.scheme) && !has_kernel(of.scheme))
    return "what it says of a position depends on the contents, and it serves a causal mask alone: it has no codes, "
           "and "
           "half of its scores are hidden";
  return of.why_not_length(length);
}

// Singular values of [N, W] take two copies of it and some min(N, W)^2 numbers, and some 4 N W min(N, W)
// multiplications; they are wanted twice of the codes and of every head.
data::Estimate EffectiveDimension::estimate(const Setting& of) const {
  const Needs needs(of.scheme);
  const auto [N] = reckoned(length);
  const double W = needs.scores ? 2 * needs.D : needs.D, heads = needs.encodes ? 1 : needs.H, less = std::min(N, W);
  const double codes = std::max(needs.offset_signatures(N), 4 * N * W + less * less),
               scores = heads * N * N + std::max(needs.logits(N, N), at_once(heads) * 5 * N * N);
  if (!has_kernel(of.scheme)) return {8 * codes, needs.code(N) + 2 * needs.products(8 * N * W * less)};
  return {8 * std::max(codes, scores),
          needs.code(N) + needs.attend(N * N) + 2 * needs.products(8 * N * W * less + heads * 8 * N * N * N)};
}

}  // namespace effective_dimension

Experiment make_effective_dimension() { return experiment_of<effective_dimension::EffectiveDimension>(); }

}  // namespace poslab::experiments
