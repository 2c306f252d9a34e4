// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N cells of the trained grid, G of the largest, A axes, W width of a signature.
#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measured_positions.hpp"
#include "novelty.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "untrained.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using attention::SignatureKind;

bool codes_offsets(const host::Scheme& scheme) { return attention::natural_kind(scheme) == SignatureKind::offset; }

// The cells of the largest grid that one of the grids is the smallest to hold.
struct Ring {
  data::Placement grid;
  std::vector<Index> cells;   // of the largest grid, rising
  std::vector<Index> inside;  // the same cells, counted in `grid`
};

// A cell's number in a grid, or -1 outside.
Index number_in(const data::Placement& grid, View<const double> cell) {
  Index number = 0;
  for (std::size_t axis = 0; axis < grid.extents.size(); ++axis) {
    if (cell(static_cast<Index>(axis)) >= static_cast<double>(grid.extents[axis])) return -1;
    number = number * grid.extents[axis] + static_cast<Index>(cell(static_cast<Index>(axis)));
  }
  return number;
}

std::vector<Ring> rings(const Extrapolation& at, const ExperimentInput& input, View<const double> cells) {
  std::vector<Ring> rings;
  for (const Index multiple : at.multiples()) rings.push_back({times(input.placement, multiple), {}, {}});
  for (Index n = 0; n < cells.shape[0]; ++n) {
    auto ring = rings.begin();
    while (number_in(ring->grid, cells[n]) < 0) ++ring;
    ring->cells.push_back(n);
    ring->inside.push_back(number_in(ring->grid, cells[n]));
  }
  return rings;
}

// Whether the scheme serves a token in this cell. (Offsets are those from a query in the last cell: where the scheme
// does not serve that cell, no offset of the grid is defined.)
bool serves_cell(const host::Scheme& scheme, View<const double> cell) {
  Array<double> one{1, cell.shape[0]};
  std::copy(cell.begin(), cell.end(), one.data());
  const double highest = *std::max_element(cell.begin(), cell.end());
  return !scheme.why_not_positions(0, highest) && !why_not_served(scheme, one);
}

// The signatures of those cells of a grid that `wanted` numbers, as double: [wanted, W].
template <class S>
Array<double> codes(const ExperimentInput& input, const data::Placement& grid, const std::vector<Index>& wanted,
                    std::span<const View<const S>> weights) {
  const Array<double> all = grid.positions(*grid.count(), input.draws);
  const host::Context context{*grid.count(), input.scheme.model().train_length, true};
  Array<S> rows;
  std::vector<Index> from(wanted);
  if (codes_offsets(input.scheme)) {
    rows = attention::offset_signatures<S>(input.scheme, context, all, all.extent(0) - 1, weights);
  } else {
    Array<double> some{static_cast<Index>(wanted.size()), all.extent(1)};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::copy_n(&all(wanted[i], 0), all.extent(1), &some(static_cast<Index>(i), 0));
      from[i] = static_cast<Index>(i);
    }
    rows = attention::position_signatures<S>(input.scheme, context, some, weights);
  }
  Array<double> out{static_cast<Index>(from.size()), rows.extent(1)};
  for (std::size_t i = 0; i < from.size(); ++i)
    std::copy_n(&rows(from[i], 0), rows.extent(1), &out(static_cast<Index>(i), 0));
  return out;
}

// Rows of one above rows of the other; columns that only one of them has are left out.
Array<double> stacked(const Array<double>& above, const Array<double>& below) {
  const Index rows = above.extent(0) + below.extent(0), W = std::min(above.extent(1), below.extent(1));
  Array<double> both{rows, W};
  for (Index n = 0; n < rows; ++n)
    std::copy_n(n < above.extent(0) ? &above(n, 0) : &below(n - above.extent(0), 0), W, &both(n, 0));
  return both;
}

// Root mean square of |phi(p) - phi(q)| over neighbours of the grid, along every axis.
double neighbours_apart(View<const double> phi, View<const double> cells, const data::Placement& grid) {
  double squares = 0, pairs = 0;
  for (Index n = 0; n < cells.shape[0]; ++n)
    for (Index axis = 0; axis < cells.shape[1]; ++axis) {
      Array<double> next{cells.shape[1]};
      std::copy(cells[n].begin(), cells[n].end(), next.data());
      next(axis) += 1;
      const Index other = number_in(grid, next);
      if (other < 0) continue;
      squares += numerics::squared_distance(&phi(n, 0), &phi(other, 0), phi.shape[1]);
      pairs += 1;
    }
  return pairs > 0 ? std::sqrt(squares / pairs) : 0;
}

}  // namespace

data::Placement times(const data::Placement& grid, Index multiple) {
  data::Placement larger = grid;
  for (std::int64_t& extent : larger.extents) extent *= multiple;
  return larger;
}

bool serves_last_cell(const host::Scheme& scheme, const data::Placement& grid) {
  Array<double> last{static_cast<Index>(grid.extents.size())};
  for (Index axis = 0; axis < last.size(); ++axis)
    last(axis) = static_cast<double>(grid.extents[static_cast<std::size_t>(axis)] - 1);
  return serves_cell(scheme, last);
}

template <class S>
void record_grid(const Extrapolation& at, const ExperimentInput& input, Output& out) {
  const data::Placement largest = times(input.placement, at.multiples().back());
  const Index N = *input.placement.count(), G = *largest.count();
  const Array<double> cells = largest.positions(G, input.draws), trained_cells = input.positions(N);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  std::vector<Index> all;
  for (Index n = 0; n < N; ++n) all.push_back(n);
  const Array<double> trained = codes<S>(input, input.placement, all, views);
  const double unit = neighbours_apart(trained, trained_cells, input.placement);

  const bool knows = knows_untrained(input.scheme);
  std::vector<double> defined(static_cast<std::size_t>(G), 0.0), curve(defined);
  std::fill(curve.begin(), curve.end(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> untrained(curve);
  for (const Ring& ring : rings(at, input, cells)) {
    const bool whole = codes_offsets(input.scheme), last = serves_last_cell(input.scheme, ring.grid);
    std::vector<Index> measured, wanted;
    for (std::size_t i = 0; i < ring.cells.size(); ++i)
      if (whole ? last : last || serves_cell(input.scheme, cells.view()[ring.cells[i]])) {
        measured.push_back(ring.cells[i]);
        wanted.push_back(ring.inside[i]);
      }
    if (measured.empty()) continue;
    const data::Placement& grid = ring.grid;
    const std::vector<double> distances = nearest_distances(codes<S>(input, grid, wanted, views), trained);
    std::vector<double> shares(measured.size(), 0.0);
    if (knows)
      shares = untrained_shares(input, {N, input.scheme.model().train_length, true}, trained_cells,
                                static_cast<Index>(wanted.size()), [&](const host::Weights<double>& drawn) {
                                  return stacked(codes<double>(input, input.placement, all, drawn.layer(0)),
                                                 codes<double>(input, grid, wanted, drawn.layer(0)));
                                });
    for (std::size_t i = 0; i < measured.size(); ++i) {
      untrained[static_cast<std::size_t>(measured[i])] = shares[i];
      defined[static_cast<std::size_t>(measured[i])] = 1;
      curve[static_cast<std::size_t>(measured[i])] = novelty(distances[i], unit);
    }
  }
  out.coordinate<Position>(numbers_below(G), largest, cells);
  out.set(Extrapolation::defined, defined);
  if (knows) out.set(Extrapolation::untrained, untrained);
  out.set(Extrapolation::novelty, curve);
}

template void record_grid<float>(const Extrapolation&, const ExperimentInput&, Output&);
template void record_grid<double>(const Extrapolation&, const ExperimentInput&, Output&);

}  // namespace poslab::experiments::extrapolation
