// SPDX-License-Identifier: Apache-2.0
// What does the code look like? Definitions: clock.md.
// Dimension letters: N positions, A axes, H heads, J planes, W width of a code.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "poslab/attention/signatures.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "rates.hpp"

namespace poslab::experiments {
namespace clock {
namespace {

using attention::SignatureKind;

void record_rates(const Array<double>& rates, View<const double> positions, data::Record& record) {
  const Index A = rates.extent(0), H = rates.extent(1), J = rates.extent(2);
  std::vector<double> all, wavelengths, turns, turned;
  for (Index axis = 0; axis < A; ++axis) {
    const double extent = extent_along(positions, axis);
    for (Index h = 0; h < H; ++h) {
      double whole = 0;
      for (Index j = 0; j < J; ++j) {
        const double rate = rates(axis, h, j), here = rate * extent / (2 * std::numbers::pi);
        all.push_back(rate);
        wavelengths.push_back(rate > 0 ? 2 * std::numbers::pi / rate : std::numeric_limits<double>::quiet_NaN());
        turns.push_back(here);
        whole += here >= 1 ? 1 : 0;
      }
      turned.push_back(whole);
    }
  }
  record.coordinate("axis", numbers_below(A));
  record.coordinate("head", numbers_below(H));
  record.coordinate("plane", numbers_below(J));
  record.curve("rate", {"axis", "head", "plane"}, all);
  record.curve("wavelength", {"axis", "head", "plane"}, wavelengths);
  record.curve("turns", {"axis", "head", "plane"}, turns);
  record.curve("turned", {"axis", "head"}, turned);
}

void record_angles(const Array<double>& rates, View<const double> positions, data::Record& record) {
  std::vector<double> angles;
  for (Index h = 0; h < rates.extent(1); ++h)
    for (Index j = 0; j < rates.extent(2); ++j)
      for (Index n = 0; n < positions.shape[0]; ++n) angles.push_back(angle_at(rates(0, h, j), positions(n, 0)));
  record.curve("angle", {"head", "plane", "position"}, angles);
}

struct Codes {
  Array<double> phi, coordinates;  // [N, W]; the positions or the offsets of its rows [N, A]
};

Codes codes(const ExperimentInput& input, const host::Context& context, View<const double> positions,
            std::span<const View<const double>> weights) {
  if (attention::natural_kind(input.scheme) == SignatureKind::position) {
    Array<double> coordinates{positions.shape[0], positions.shape[1]};
    std::copy(positions.begin(), positions.end(), coordinates.data());
    return {attention::position_signatures<double>(input.scheme, context, positions, weights), std::move(coordinates)};
  }
  const Index N = positions.shape[0];
  const std::vector<Index> extents = input.placement.is_grid() ? input.placement.extents : std::vector<Index>{N};
  const Index query = attention::query_of(attention::Offsets::causal, extents);
  return {attention::offset_signatures<double>(input.scheme, context, positions, query, weights),
          attention::offset_vectors(positions, query)};
}

void record_matrix(const Codes& codes, const data::Placement& placement, data::Record& record) {
  const Index N = codes.phi.extent(0), W = codes.phi.extent(1);
  for (Index n = 0; n < N; ++n)
    for (Index w = 0; w < W; ++w)
      if (!std::isfinite(codes.phi(n, w)))
        throw data::NotFinite("the matrix of codes", std::vector<std::int64_t>{n, w}, codes.phi(n, w));
  record.coordinate("position", numbers_below(N));
  record_coordinates(record, placement, "position", codes.coordinates);
  record.coordinate("channel", numbers_below(W));
  record.curve("matrix", {"position", "channel"}, {codes.phi.data(), codes.phi.data() + codes.phi.size()});
}

data::Record run(const ExperimentInput& input) {
  const Array<double> positions = input.positions(input.axes.integer("length"));
  const host::Scheme& scheme = input.scheme;
  const host::Context context = scheme.context(positions.extent(0));
  const host::Weights<double> weights = draw_weights<double>(input);
  const std::vector<View<const double>> views = weights.of_layer(0);
  data::Record record;
  record_matrix(codes(input, context, positions, views), input.placement, record);
  if (const auto found = rates(scheme, context, positions.extent(1), views)) {
    record_rates(*found, positions, record);
    if (positions.extent(1) == 1) record_angles(*found, positions, record);
  }
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (std::string reason = attention::why_no_signature(scheme, attention::natural_kind(scheme)); !reason.empty())
    return reason;
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return "scheme \"" + scheme.info().id + "\" may give -infinity: a matrix of it has no colours";
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const double N = axes.real("length"), D = static_cast<double>(scheme.model().model_width);
  const double H = static_cast<double>(scheme.model().heads), K = D / H;
  const double W = scheme.has(host::Operation::score) ? 4 * D : D;
  return {8 * (4 * N * W + 2 * N * D + 4 * H * K * K), 8 * N * W + 40 * placement.axes() * H * K * K * K + 20 * N * D};
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp

}  // namespace clock

Experiment make_clock() {
  using namespace clock;
  return {describe(), why_skip, estimate, run, axis_length};
}

}  // namespace poslab::experiments
