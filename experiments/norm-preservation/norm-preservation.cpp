// SPDX-License-Identifier: Apache-2.0
// Each position is measured in moved.cpp.
// Dimension letters: N positions, C contents, D model width.
#include "norm-preservation.hpp"

#include <algorithm>

#include "moved.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace norm_preservation {

Axes<NormPreservation> NormPreservation::axes() {
  return {
      {&NormPreservation::length, length_axis()},
      {&NormPreservation::embedding_std,
       {.name = "embedding_std",
        .default_value = 1.0,
        .range = {.lowest = 0, .above_lowest = true},
        .sentence = "standard deviation of the entries of a content vector (an embedding), independent and normal"}},
      {&NormPreservation::contents, contents_axis()},
      {&NormPreservation::dtype, dtype_axis()},
  };
}

namespace {

using host::Operation;

bool encodes(const host::Scheme& scheme) { return scheme.has(Operation::encode); }

template <class S>
Array<S> draw_contents(const NormPreservation& at, const ExperimentInput& input, std::string_view purpose) {
  Array<double> drawn = input.draws.normal(purpose, {at.contents, input.scheme.model().model_width});
  for (double& entry : drawn.flat()) entry *= at.embedding_std;
  return as<S>(drawn);
}

template <class S>
void measure(const NormPreservation& at, const ExperimentInput& input, Output& out) {
  const Index N = at.length, D = input.scheme.model().model_width;
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const Subject<S> subject{input.scheme, input.scheme.context(N), views, draw_contents<S>(at, input, "x"),
                           draw_contents<S>(at, input, "y")};
  const double content = static_cast<double>(D) * at.embedding_std * at.embedding_std;

  std::vector<double> position, mean, lowest, highest, angle, share;
  std::vector<double> of_side[std::size(host::all_sides)];
  double isometry_error = 0, largest_entry = 0;
  const Array<double> positions = input.positions(N);
  for (const AtPosition& here : at_all_positions<S>(subject, positions)) {
    position.push_back(static_cast<double>(position.size()));
    mean.push_back(here.ratio.mean());
    lowest.push_back(here.ratio.lowest());
    highest.push_back(here.ratio.highest());
    for (const host::Side side : host::all_sides)
      of_side[static_cast<int>(side)].push_back(here.of_side[static_cast<int>(side)].mean());
    angle.push_back(here.angle.mean());
    share.push_back(here.squared_norm / (here.squared_norm + content));
    isometry_error = std::max(isometry_error, here.isometry_error);
    largest_entry = std::max(largest_entry, here.largest_entry);
  }
  out.coordinate<Position>(position, input.placement, positions);
  out.set(NormPreservation::ratio_mean, mean);
  out.set(NormPreservation::ratio_min, lowest);
  out.set(NormPreservation::ratio_max, highest);
  out.set(NormPreservation::isometry_error, isometry_error);
  if (!encodes(input.scheme)) {
    for (const host::Side side : host::all_sides)
      if (input.scheme.transforms(side))
        out.set(*NormPreservation::of_sides[static_cast<int>(side)], of_side[static_cast<int>(side)]);
  } else {
    out.set(NormPreservation::angle, angle);
    out.set(NormPreservation::position_share, share);
    out.set(NormPreservation::max_abs, largest_entry);
  }
}

}  // namespace

std::optional<base::Refusal> NormPreservation::why_skip(const Setting& of) const {
  if (!encodes(of.scheme) && !of.scheme.has(Operation::transform))
    return "it changes no vector: it neither adds to the embedding nor transforms queries, keys, values or outputs";
  return of.why_not_length(length);
}

void NormPreservation::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

// Two contents' vectors before and after, for each of some positions, and what is measured of every position.
data::Estimate NormPreservation::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto transformed = [&](host::Side side) { return of.scheme.transforms(side); };
  const auto sides = static_cast<double>(std::ranges::count_if(host::all_sides, transformed));
  const auto [N, C, P] = reckoned(length, contents, std::min(length, positions_at_once));
  const double vectors = C * needs.D, beside = needs.encodes ? 3 * vectors + P * needs.D : 2 * P * vectors;
  return {needs.bytes * 2 * vectors + at_once(N / P) * 8 * beside + (sizeof(AtPosition) + 100) * N,
          N * vectors * (needs.encodes ? 12 : 12 * sides) + needs.encode(N)};
}

}  // namespace norm_preservation

Experiment make_norm_preservation() { return experiment_of<norm_preservation::NormPreservation>(); }

}  // namespace poslab::experiments
