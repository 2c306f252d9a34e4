// SPDX-License-Identifier: Apache-2.0
// Whether a scheme serves the positions that a study gives its tokens.
// Dimension letters: N tokens, A axes of a position, D model width, H heads, K head width.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/experiment.hpp"

namespace poslab::experiments {
namespace {

using base::Array;
using base::Index;
using host::Operation;

// "1 axis", "2 or 3 axes"
std::string axes_text(int least, int most) {
  if (least == most) return fmt::format("{} {}", least, least == 1 ? "axis" : "axes");
  return fmt::format("{} {} {} axes", least, most == least + 1 ? "or" : "to", most);
}

std::optional<base::Refusal> why_not_axes(const host::Scheme& scheme, const data::Placement& placement) {
  const int least = scheme.least_axes(), most = scheme.most_axes(), axes = placement.axes();
  if (!scheme.looks_at_positions()) return std::nullopt;
  if (least <= axes && axes <= most) return std::nullopt;
  const char* wanted = most == 1   ? "as in text"
                       : axes == 1 ? "as positions = { grid = [16, 16] } in [model] gives"
                                   : "as a grid of so many extents gives";
  const bool with_others = scheme.info().least_axes <= axes && axes <= scheme.info().most_axes;
  return fmt::format("scheme \"{}\" wants positions of {}, {}; those of positions = {} have {}{}", scheme.info().id,
                     axes_text(least, most), wanted, placement.text(), axes_text(axes, axes),
                     with_others ? ", which it serves with other parameters" : "");
}

// Every operation once, with weights of 0 and contents of 1.
void serve(const host::Scheme& scheme, base::View<const double> positions) {
  const Index N = positions.shape[0], D = scheme.model().model_width, H = scheme.model().heads,
              K = scheme.model().head_width();
  const host::Weights<double> weights(scheme.weights(), 1);
  const std::vector<base::View<const double>> views = weights.layer(0);
  const host::Context context = scheme.context(N);
  const host::Tile tile{positions, positions, 0};
  Array<double> encoded{N, D}, ones{H, N, K}, square{H, N, N}, input{N, D};
  ones.fill(1), input.fill(1);
  if (scheme.has(Operation::encode)) scheme.encode<double>(context, positions, views, encoded);
  for (const host::Side side : host::all_sides)
    if (scheme.transforms(side)) scheme.transform<double>(context, side, positions, views, ones);
  if (scheme.has(Operation::bias)) scheme.bias<double>(context, tile, views, square);
  if (scheme.has(Operation::score))
    scheme.score<double>(context, tile, {input, ones, ones, scheme.logit_scale()}, views, square);
}

}  // namespace

std::optional<base::Refusal> why_not_served(const host::Scheme& scheme, base::View<const double> positions) {
  try {
    serve(scheme, positions);
  } catch (const data::Refused& refused) {
    return refused.what();
  } catch (const data::PositionOutOfRange& out_of_range) {
    return out_of_range.what();
  } catch (const base::Error&) {
    // due to these contents and weights, not to the positions: the cell itself will report it
  }
  return std::nullopt;
}

std::optional<base::Refusal> Setting::why_not_length(Index length) const {
  return layers().why_not_positions(placement.lowest(), placement.highest(length));
}

std::optional<base::Refusal> Setting::why_not_attended(bool causal, Index length) const {
  return layers().first_refusal([&](const host::Scheme& layer) {
    const auto refusal = layer.why_not_mask(causal);
    return refusal ? refusal : layer.why_not_positions(placement.lowest(), placement.highest(length));
  });
}

std::optional<base::Refusal> why_not_positions(const host::Scheme& scheme, const data::Placement& placement, Index N) {
  if (auto refusal = why_not_axes(scheme, placement)) return refusal;
  if (placement.is_plain()) return std::nullopt;  // each experiment knows how far it goes
  if (placement.is_drawn() && N > placement.range)
    return fmt::format("positions = {} cannot be {} different numbers", placement.text(), N);
  if (auto refusal = scheme.why_not_positions(placement.lowest(), placement.highest(N))) return refusal;
  for (const double x : placement.values)
    if (auto refusal = scheme.why_not_positions(x, x)) return refusal;
  // The corners of a grid: a scheme may know a limit for each axis, or refuse a number of axes that it does not know.
  const auto A = static_cast<Index>(placement.axes());
  Array<double> ends{2, A};
  for (Index axis = 0; axis < A; ++axis)
    ends(1, axis) =
        placement.is_grid() ? static_cast<double>(placement.extents[static_cast<std::size_t>(axis)] - 1) : 0;
  return placement.is_grid() ? why_not_served(scheme, ends) : std::nullopt;
}

void record_coordinates(data::Record& record, const data::Placement& placement, const std::string& dimension,
                        base::View<const double> positions) {
  if (placement.is_plain()) return;
  const Index N = positions.shape[0], A = positions.shape[1];
  std::vector<std::string> names = placement.axis_names();
  if (names.empty()) names = {"value"};
  for (Index axis = 0; axis < A; ++axis) {
    std::vector<double> along;
    for (Index n = 0; n < N; ++n) along.push_back(positions(n, axis));
    record.position_coordinate(dimension, names[static_cast<std::size_t>(axis)], std::move(along));
  }
}

}  // namespace poslab::experiments
