// SPDX-License-Identifier: Apache-2.0
// What does the code look like? Definitions: clock.md.
// Dimension letters: N positions, A axes, H heads, J planes, W width of a code.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "poslab/attention/signatures.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "rates.hpp"

namespace poslab::experiments {
namespace clock {
namespace {

using attention::SignatureKind;

struct Axis {
  static constexpr Dimension dimension{.name = "axis", .sentence = "of a position: 0, or row 0 and column 1 of a grid"};
};
struct Head {
  static constexpr Dimension dimension{.name = "head",
                                       .sentence = "the head's number, from 0; one where all have the same planes"};
};
struct Plane {
  static constexpr Dimension dimension{.name = "plane", .sentence = "the plane's number, the fastest being 0"};
};
struct Position {
  static constexpr Dimension dimension{
      .name = "position", .unit = "position", .sentence = "of the token, or of an offset in rising order"};
};
struct Channel {
  static constexpr Dimension dimension{.name = "channel", .sentence = "the column of the matrix of codes"};
};

// Measured rates are arguments of eigenvalues of a float64 matrix.
constexpr data::Tolerance rounding{.absolute = 1e-12, .relative = 1e-12};

struct Clock final : Definition {
  static constexpr About about{
      .id = "clock",
      .version = "1.1",
      .title = "The clock of a code",
      .question = "What does the code look like: how fast do its planes rotate, and what is in its matrix?"};

  Index length;
  static Axes<Clock> axes() { return {{&Clock::length, length_axis(128)}}; }

  static constexpr Measure<Axis, Head, Plane> rate{
      .name = "rate",
      .unit = "rad/position",
      .sentence = "by how much each plane rotates in a step along the axis, in falling order",
      .definition = "theta as declared, or the arguments of the eigenvalues of T_1 T_0^-1",
      .null_value = "absent",
      .tolerance = rounding},
      wavelength{.name = "wavelength",
                 .unit = "position",
                 .sentence = "after how many steps each plane is back where it was; NaN if it stands still",
                 .definition = "2 pi / theta",
                 .null_value = "absent",
                 // As a slow plane's rate is near 0, its wavelength has the rate's absolute error over the rate.
                 .tolerance = {.relative = 1e-7}},
      turns{.name = "turns",
            .unit = "turns",
            .sentence = "how many turns each plane makes from the first position to the last",
            .definition = "theta (greatest - least position along the axis) / 2 pi",
            .null_value = "absent",
            .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 1e-12}};
  static constexpr Measure<Axis, Head> turned{.name = "turned",
                                              .unit = "planes",
                                              .sentence = "how many planes make a full turn or more",
                                              .definition = "number of planes with turns >= 1",
                                              .null_value = "absent",
                                              .tolerance = exact()};
  static constexpr Measure<Head, Plane, Position> angle{
      .name = "angle",
      .unit = "rad",
      .sentence = "where the hand of each plane stands at each position, of one axis",
      .definition = "theta p mod 2 pi, from 0 up to 2 pi",
      .null_value = "absent",
      .tolerance = {.absolute = 1e-12, .per_position = 1e-12}};
  static constexpr Measure<Position, Channel> matrix{
      .name = "matrix",
      .sentence = "the codes, a row a position (of a bias: a row an offset)",
      .definition = "phi(p): e(p), or T_p 1, or the offset's signature (uniqueness, kind natural)",
      .null_value = "0",
      .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 4e-16}};
  static constexpr std::tuple measures{rate, wavelength, turns, turned, angle, matrix};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

void record_rates(const Array<double>& rates, View<const double> positions, Output& out) {
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
  out.coordinate<Axis>(numbers_below(A));
  out.coordinate<Head>(numbers_below(H));
  out.coordinate<Plane>(numbers_below(J));
  out.set(Clock::rate, all);
  out.set(Clock::wavelength, wavelengths);
  out.set(Clock::turns, turns);
  out.set(Clock::turned, turned);
}

void record_angles(const Array<double>& rates, View<const double> positions, Output& out) {
  std::vector<double> angles;
  for (Index h = 0; h < rates.extent(1); ++h)
    for (Index j = 0; j < rates.extent(2); ++j)
      for (Index n = 0; n < positions.shape[0]; ++n) angles.push_back(angle_at(rates(0, h, j), positions(n, 0)));
  out.set(Clock::angle, angles);
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

void record_matrix(const Codes& codes, const data::Placement& placement, Output& out) {
  const Index N = codes.phi.extent(0), W = codes.phi.extent(1);
  for (Index n = 0; n < N; ++n)
    for (Index w = 0; w < W; ++w)
      if (!std::isfinite(codes.phi(n, w)))
        throw data::not_finite("the matrix of codes", std::vector<std::int64_t>{n, w}, codes.phi(n, w));
  out.coordinate<Position>(numbers_below(N), placement, codes.coordinates);
  out.coordinate<Channel>(numbers_below(W));
  out.set(Clock::matrix, {codes.phi.data(), codes.phi.data() + codes.phi.size()});
}

std::optional<base::Refusal> Clock::why_skip(const Setting& of) const {
  const SignatureKind kind = attention::natural_kind(of.scheme);
  if (auto refusal = attention::why_no_signature(of.scheme, kind)) return refusal;
  if (auto refusal = why_not_finite(of.scheme, "a matrix of it has no colours")) return refusal;
  return of.why_not_length(length);
}

// The codes, as they are made and twice as they are recorded; then a basis of every head's vectors, at one position of
// each axis, and its eigenvalues.
data::Estimate Clock::estimate(const Setting& of) const {
  const Needs needs(of.scheme);
  const auto [N, A] = reckoned(length, of.placement.axes());
  const bool of_offsets = attention::natural_kind(of.scheme) == attention::SignatureKind::offset;
  const double W = of_offsets ? needs.offset_width() : needs.code_width(), bases = needs.H * needs.K * needs.K;
  return {8 * ((of_offsets ? needs.offset_signatures(N) : needs.position_signatures(N)) + 2 * N * W + 4 * bases),
          (of_offsets ? needs.probe_offsets(N) : needs.encode(N) + needs.transform(N)) + 10 * N * W +
              (needs.transforms ? 100 * A * bases * needs.K : 0)};
}

void Clock::run(const ExperimentInput& input, Output& out) const {
  const Array<double> positions = input.positions(length);
  const host::Context context = input.scheme.context(positions.extent(0));
  const host::Weights<double> weights = draw_weights<double>(input);
  const std::vector<View<const double>> views = weights.layer(0);
  record_matrix(codes(input, context, positions, views), input.placement, out);
  if (const auto found = rates(input.scheme, context, positions.extent(1), views)) {
    record_rates(*found, positions, out);
    if (positions.extent(1) == 1) record_angles(*found, positions, out);
  }
}

}  // namespace
}  // namespace clock

Experiment make_clock() { return experiment_of<clock::Clock>(); }

}  // namespace poslab::experiments
