// SPDX-License-Identifier: Apache-2.0
// Do scores depend on m - n only? What is measured and declared; the measuring is in the other files of this folder.
// Dimension letters: C contents, N positions, M positions of the window, H heads, K head width.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parts.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/rotation_claim.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "poslab/numerics/statistics.hpp"
#include "relative-shift.hpp"

namespace poslab::experiments {
namespace relative_shift {

using host::Operation;

Axes<RelativeShift> RelativeShift::axes() {
  return {{&RelativeShift::length, length_axis()},
          {&RelativeShift::contents, contents_axis()},
          {&RelativeShift::dtype, dtype_axis()},
          {&RelativeShift::shift,
           {.name = "shift",
            .default_value = {1, 10, 100, 1000, 10000},
            .range = {.lowest = 0},
            .unit = "position",
            .sentence = "how far all positions are moved together; the length that the scheme is told stays N"}},
          {&RelativeShift::step,
           {.name = "step",
            .default_value = {1, 16, 256},
            .range = from_one,
            .unit = "position",
            .sentence = "k: from which code to which the linear map leads"}}};
}

namespace {

bool is_additive(const host::Scheme& scheme) {
  return std::none_of(std::begin(host::all_operations), std::end(host::all_operations),
                      [&](Operation operation) { return operation != Operation::encode && scheme.has(operation); });
}

// Under a causal mask.
bool sees_other_tokens(const host::Scheme& scheme) {
  return scheme.has(Operation::score) && scheme.mask() != host::Mask::bidirectional_only;
}

// Over their root mean square.
double rounding_of_scores(const RelativeShift& at) {
  const double N = static_cast<double>(at.length);
  const Scalar& residual = RelativeShift::toeplitz_residual_relative;
  return (at.dtype == Dtype::float32 ? *residual.float32 : residual.tolerance).allowed(0, 0, N, N);
}

bool has_signature(const host::Scheme& scheme) {
  return scheme.has(Operation::encode) || scheme.has(Operation::transform);
}

template <class S>
Contents<S> draw_contents(const ExperimentInput& input, Index C, Index M) {
  const host::Model& model = input.scheme.model();
  const Index H = model.heads, K = model.head_width();
  Contents<S> contents;  // named, since clang's analyzer sees a leak in a braced pair
  contents.query = as<S>(input.draws.normal("query", {C, H, M, K}));
  contents.key = as<S>(input.draws.normal("key", {C, H, M, K}));
  return contents;
}

// The offsets themselves where they are numbers; their number, with row and column beside it, where they are vectors.
template <class S>
void record_position_spread(const Setting<S>& setting, const data::Placement& placement, double allowed, Output& out) {
  const PositionSpread along = position_spread(setting);
  if (!std::isfinite(along.mean_square))
    throw data::not_finite("the position score", "some pair of positions", along.mean_square);
  const bool is_grid = placement.is_grid();
  std::vector<double> offsets;
  for (Index r = 0; r < along.offsets.extent(0); ++r)
    offsets.push_back(is_grid ? static_cast<double>(r) : along.offsets(r, 0));
  if (is_grid)
    out.coordinate<Offset>(offsets, placement, along.offsets);
  else
    out.coordinate<Offset>(offsets);
  out.set(RelativeShift::position_spread, along.spread);
  out.set(RelativeShift::toeplitz_residual, along.largest);
  const double size = std::sqrt(along.mean_square);
  out.set(RelativeShift::toeplitz_residual_relative, numerics::ratio_or_zero(along.largest, size));
  out.set(RelativeShift::position_score_rms, size);
  const double attended = attended_spread(setting, along, size * allowed);
  out.set(RelativeShift::toeplitz_residual_attended, numerics::ratio_or_zero(attended, size));
}

template <class S>
void measure(const RelativeShift& at, const ExperimentInput& input, Output& out) {
  using R = RelativeShift;
  const host::Scheme& scheme = input.scheme;
  const Index N = at.length, C = at.contents;
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const Array<double> positions = input.positions(N), window = window_of(positions, input.placement);
  const Setting<S> setting{scheme, scheme.context(N), views, C, positions, window, input.placement.is_plain()};
  const Index M = window.extent(0);
  const auto drawn =
      shared_draw<Contents<S>>(input, fmt::format("contents of {} tokens", M), 2 * C * M * scheme.model().model_width,
                               [&] { return draw_contents<S>(input, C, M); });
  const Contents<S>& contents = *drawn;

  const std::vector<double> shifts = rising(at.shift), steps = rising(at.step);
  const ContentError error = content_error(setting, contents, shifts);
  out.coordinate<Shift>(shifts);
  out.set(R::content_error, error.largest);
  out.set(R::content_error_rms, error.root_mean_square);
  out.set(R::added, error.added);
  out.set(R::position_error, position_error(setting, shifts));
  record_position_spread(setting, input.placement, rounding_of_scores(at), out);
  if (sees_other_tokens(scheme) && window.extent(0) > 1) out.set(R::future_error, future_error(setting, contents));
  if (is_additive(scheme) && window.extent(0) > 1) {
    const Shares parts = shares(setting, contents);
    out.set(R::share_content, parts.content);
    out.set(R::share_cross, parts.cross);
    out.set(R::share_position, parts.position);
  }
  out.coordinate<Step>(steps);
  if (has_signature(scheme))
    if (const std::vector<double> residuals = linear_map_residuals(setting, steps); !residuals.empty())
      out.set(R::linear_map_residual, residuals);
  if (scheme.has(Operation::transform)) out.set(R::composition_error, composition_error(setting, contents));
}

// What position_spread holds where offsets are no diagonals: the offset of every pair, and extremes for each of them.
double bytes_of_offsets(const data::Placement& placement, double N, double H) {
  if (placement.is_plain()) return 0;
  double offsets = 1;
  for (const std::int64_t extent : placement.extents) offsets *= 2 * static_cast<double>(extent) - 1;
  if (!placement.is_grid())
    offsets = placement.count() ? N * N : std::min(N * N, 2 * placement.highest(static_cast<Index>(N)));
  return 20 * N * N + 16 * H * offsets * (at_once(N) + 1);
}

}  // namespace

std::optional<base::Refusal> RelativeShift::why_skip(const experiments::Setting& of) const {
  if (auto refusal = why_not_finite(of.scheme, "differences of its logits mean nothing")) return refusal;
  for (const double k : step)
    if (k != std::trunc(k)) return fmt::format("the step {} leads to no whole position", base::shortest(k));
  return of.why_not_length(length);
}

void RelativeShift::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

// Contents and the logits of their windows, three times; scores of some tokens; the table of scores, in rows or as
// products of codes; and where a linear map is fitted, four copies of the codes.
data::Estimate RelativeShift::estimate(const experiments::Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const data::Placement& placement = of.placement;
  const Needs needs(scheme, dtype);
  const auto [N, C, M, T] =
      reckoned(length, contents, std::min(window_tokens, length), std::min(length, tokens_compared));
  const auto [shifts, steps, at_a_time] = reckoned(shift.size(), step.size(), scores_at_once(scheme));
  const double D = needs.D, heads = needs.encodes ? 1 : needs.H, pairs = C * M * M;
  const bool fits = has_signature(scheme) && N >= 4 * D;
  const bool in_rows = !placement.is_plain() || needs.biases || needs.scores;
  const double contents_of = 4 * C * M * D, windows = 3 * needs.H * pairs + needs.logits(M, M);
  const double rows = std::clamp(at_a_time / (heads * N), 1.0, N);
  const double table = in_rows ? at_once(N / rows) * (needs.logits(rows, N) + 8 * heads * N) + 4 * N * D
                               : 3 * N * D + 12 * heads * N + 256 * 256 * at_once(N / 256);
  const double fitted = fits ? 16 * N * D + 8 * 8 * D * D : 0;
  const double bytes =
      needs.bytes * 2 * C * M * D +
      std::max({needs.bytes * (contents_of / 2 + windows), needs.bytes * (heads * 2 * T * T + needs.logits(T, T)),
                needs.bytes * table + bytes_of_offsets(placement, N, needs.H), fitted});
  const bool rotates = placement.is_plain() && !in_rows && length > all_pairs_up_to &&
                       scheme.mask() != host::Mask::causal_only && seems_to_rotate(scheme, placement, length);
  const double width = needs.encodes ? D : needs.K;
  const double spread = rotates ? N * D * (64 + width) : needs.attend(N * N) + 2 * heads * N * N;
  return {bytes, needs.draw(2 * C * M * D) + spread +
                     (2 + shifts) * (C * needs.code(M) + needs.attend(pairs + T * T) + 5 * needs.H * (pairs + T * T)) +
                     (fits ? needs.products(N * D * D * (2 + 2 * steps)) : 0)};
}

}  // namespace relative_shift

Experiment make_relative_shift() { return experiment_of<relative_shift::RelativeShift>(); }

}  // namespace poslab::experiments
