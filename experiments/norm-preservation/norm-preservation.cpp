// SPDX-License-Identifier: Apache-2.0
// What happens to the vector? Norms, inner products and directions before and after a position enters it.
// Dimension letters: N positions, C contents, D model width, H heads, K head width, V vectors of width W that a position
// changes on their own: [H sides, K] for `transform`, one of D for `encode`.
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "poslab/experiments/declare.hpp"
#include "poslab/experiments/experiment.hpp"
#include "poslab/experiments/precision.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/inner_product.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments {
namespace {

using base::Array;
using base::Index;
using base::View;
using host::Operation;
using numerics::inner_product;
using numerics::sum_of_squares;

bool encodes(const host::Scheme& scheme) { return scheme.has(Operation::encode); }

std::string why_skip(const host::Scheme& scheme, const base::Values& axes) {
  if (!encodes(scheme) && !scheme.has(Operation::transform))
    return fmt::format("scheme \"{}\" changes no vector: it neither adds to the embedding nor transforms queries and keys",
                       scheme.info().id);
  return scheme.why_not_positions(0, static_cast<double>(axes.integer("length") - 1));
}

template <class S>
std::vector<double> unit_vector(const S* x, Index width, double sign) {
  const double norm = sign * std::sqrt(sum_of_squares(x, width));
  std::vector<double> unit(static_cast<std::size_t>(width));
  for (Index k = 0; k < width; ++k) unit[static_cast<std::size_t>(k)] = static_cast<double>(x[k]) / norm;
  return unit;
}

// What one position does to all contents.
struct AtPosition {
  numerics::Moments ratio, angle;
  double isometry_error = 0, squared_norm = 0, largest_entry = 0;

  template <class S>
  void compare(const S* x, const S* y, const S* moved_x, const S* moved_y, Index width) {
    const double norm_x = std::sqrt(sum_of_squares(x, width)), norm_y = std::sqrt(sum_of_squares(y, width));
    const double norm_moved = std::sqrt(sum_of_squares(moved_x, width));
    ratio.add(norm_moved / norm_x);
    const double change = inner_product(moved_x, moved_y, width) - inner_product(x, y, width);
    isometry_error = std::max(isometry_error, std::abs(change) / (norm_x * norm_y));
  }

  // The angle from |u - v| and |u + v| of unit vectors (Kahan 2006): exact to rounding for small angles too.
  template <class S>
  void turn(const S* x, const S* moved_x, Index width) {
    const std::vector<double> u = unit_vector(x, width, 1), v = unit_vector(moved_x, width, 1), minus_v = unit_vector(moved_x, width, -1);
    const double difference = numerics::squared_distance(u.data(), v.data(), width);
    angle.add(2 * std::atan2(std::sqrt(difference), std::sqrt(numerics::squared_distance(u.data(), minus_v.data(), width))));
  }
};

template <class S>
struct Setting {
  const host::Scheme& scheme;
  host::Context context;
  std::span<const View<const S>> weights;
  Array<S> x, y;  ///< contents [C, D], heads side by side
};

// `encode`: x + e(p).
template <class S>
void encode_rows(const Setting<S>& setting, View<const double> positions, AtPosition* out) {
  const Index D = setting.x.extent(1), C = setting.x.extent(0);
  Array<S> encoding{positions.shape[0], D}, moved_x{D}, moved_y{D};
  setting.scheme.template encode<S>(setting.context, positions, setting.weights, encoding);
  for (Index p = 0; p < positions.shape[0]; ++p) {
    const S* e = &encoding(p, 0);
    out[p].squared_norm = sum_of_squares(e, D);
    for (Index k = 0; k < D; ++k) out[p].largest_entry = std::max(out[p].largest_entry, std::abs(static_cast<double>(e[k])));
    for (Index c = 0; c < C; ++c) {
      const S* x = &setting.x(c, 0);
      const S* y = &setting.y(c, 0);
      for (Index k = 0; k < D; ++k) {
        moved_x(k) = x[k] + e[k];
        moved_y(k) = y[k] + e[k];
      }
      out[p].compare(x, y, moved_x.data(), moved_y.data(), D);
      out[p].turn(x, moved_x.data(), D);
    }
  }
}

// `transform`: T_p x, each head and each side on its own. Rows of [H, P C, K] are position-major.
template <class S>
void transform_rows(const Setting<S>& setting, View<const double> positions, AtPosition* out) {
  const Index P = positions.shape[0], C = setting.x.extent(0), H = setting.scheme.model().heads, K = setting.x.extent(1) / H;
  Array<double> repeated{P * C, 1};
  Array<S> x{H, P * C, K}, y{H, P * C, K};
  for (Index row = 0; row < P * C; ++row) {
    repeated(row, 0) = positions(row / C, 0);
    for (Index h = 0; h < H; ++h) {
      std::copy_n(&setting.x(row % C, h * K), K, &x(h, row, 0));
      std::copy_n(&setting.y(row % C, h * K), K, &y(h, row, 0));
    }
  }
  for (const host::Side side : {host::Side::query, host::Side::key}) {
    Array<S> moved_x = x.copy(), moved_y = y.copy();
    setting.scheme.template transform<S>(setting.context, side, repeated, setting.weights, moved_x);
    setting.scheme.template transform<S>(setting.context, side, repeated, setting.weights, moved_y);
    for (Index row = 0; row < P * C; ++row)
      for (Index h = 0; h < H; ++h) out[row / C].compare(&x(h, row, 0), &y(h, row, 0), &moved_x(h, row, 0), &moved_y(h, row, 0), K);
  }
}

template <class S>
std::vector<AtPosition> all_positions(const Setting<S>& setting, Index N) {
  constexpr Index at_once = 32;
  std::vector<AtPosition> out(static_cast<std::size_t>(N));
  tbb::parallel_for(
      tbb::blocked_range<Index>(0, (N + at_once - 1) / at_once, 1),
      [&](const tbb::blocked_range<Index>& range) {
        for (Index block = range.begin(); block < range.end(); ++block) {
          const Index first = block * at_once;
          const Array<double> positions = Trial::positions(first, std::min(at_once, N - first));
          AtPosition* place = out.data() + first;
          encodes(setting.scheme) ? encode_rows<S>(setting, positions, place) : transform_rows<S>(setting, positions, place);
        }
      },
      tbb::simple_partitioner());
  return out;
}

template <class S>
Array<S> draw_contents(const Trial& trial, std::string_view purpose) {
  const Index C = trial.axes.integer("contents"), D = trial.scheme.model().model_width;
  Array<double> drawn = trial.draws.normal(purpose, {C, D});
  const double deviation = trial.axes.real("embedding_std");
  for (double& entry : drawn.flat()) entry *= deviation;
  return as<S>(drawn);
}

template <class S>
base::Record measure(const Trial& trial) {
  const Index N = trial.axes.integer("length"), D = trial.scheme.model().model_width;
  const host::Weights<S> weights = draw_weights<S>(trial);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const Setting<S> setting{trial.scheme, {N, trial.scheme.model().train_length, trial.scheme.mask() == host::Mask::causal_only},
                           views, draw_contents<S>(trial, "x"), draw_contents<S>(trial, "y")};
  const double deviation = trial.axes.real("embedding_std"), content = static_cast<double>(D) * deviation * deviation;

  std::vector<double> position, mean, lowest, highest, angle, share;
  double isometry_error = 0, largest_entry = 0;
  for (const AtPosition& at : all_positions(setting, N)) {
    position.push_back(static_cast<double>(position.size()));
    mean.push_back(at.ratio.mean());
    lowest.push_back(at.ratio.lowest());
    highest.push_back(at.ratio.highest());
    angle.push_back(at.angle.mean());
    share.push_back(at.squared_norm / (at.squared_norm + content));
    isometry_error = std::max(isometry_error, at.isometry_error);
    largest_entry = std::max(largest_entry, at.largest_entry);
  }
  base::Record record;
  record.coordinate("position", position);
  record.curve("ratio_mean", {"position"}, mean);
  record.curve("ratio_min", {"position"}, lowest);
  record.curve("ratio_max", {"position"}, highest);
  record.scalar("isometry_error", isometry_error);
  if (encodes(trial.scheme)) {
    record.curve("angle", {"position"}, angle);
    record.curve("position_share", {"position"}, share);
    record.scalar("max_abs", largest_entry);
  }
  return record;
}

base::Record run(const Trial& trial) {
  return with_dtype(trial.axes, [&](auto scalar) { return measure<decltype(scalar)>(trial); });
}

base::Estimate estimate(const host::Scheme& scheme, const base::Values& axes) {
  const double N = static_cast<double>(axes.integer("length")), C = static_cast<double>(axes.integer("contents"));
  const double D = static_cast<double>(scheme.model().model_width), block = 32, threads = 16;
  return {8 * (2 * C * D + 5 * block * C * D * threads + 30 * N), N * C * D * (encodes(scheme) ? 24 : 48)};
}

base::AxisInfo embedding_std_axis() {
  base::AxisInfo axis;
  axis.name = "embedding_std";
  axis.kind = base::Kind::real;
  axis.sentence = "standard deviation of the entries of a content vector (an embedding), independent and normal";
  axis.default_value = 1.0;
  axis.range.lowest = 0;
  axis.range.above_lowest = true;
  return axis;
}

base::ExperimentInfo describe() {
  base::ExperimentInfo info;
  info.id = "norm-preservation";
  info.version = "1.0";
  info.title = "Norm preservation";
  info.question = "What happens to the vector: does it keep its length, its angles to others, its direction?";
  info.axes = {length_axis(), embedding_std_axis(), contents_axis(), dtype_axis()};
  info.dimensions = {{"position", "position", "p"}};
  info.draws_contents = true;
  info.measures = {
      {"ratio_mean", {"position"}, "1", "length of the vector after over before, on average",
       "mean over contents (transform: also heads and sides) of norm(x') / norm(x), x' = x + e(p) or T_p x", "1", absolute(1e-14)},
      {"ratio_min", {"position"}, "1", "length of the vector after over before, at least", "min of norm(x') / norm(x)", "1", absolute(1e-14)},
      {"ratio_max", {"position"}, "1", "length of the vector after over before, at most", "max of norm(x') / norm(x)", "1", absolute(1e-14)},
      {"isometry_error", {}, "1", "how much inner products change, at worst",
       "max |<x', y'> - <x, y>| / (norm(x) norm(y)), x and y at the same position and on the same side", "0", absolute(1e-14)},
      {"angle", {"position"}, "rad", "how far the added code turns the embedding",
       "mean over contents of the angle between x and x + e(p)", "0", absolute(1e-12)},
      {"position_share", {"position"}, "1", "share of the code in the expected squared norm of the sum",
       "|e(p)|^2 / (|e(p)|^2 + D embedding_std^2)", "0", absolute(1e-12)},
      {"max_abs", {}, "1", "largest absolute entry of any code", "max over p and channels of |e(p)|", "0", exact()}};
  return info;
}

}  // namespace

Experiment make_norm_preservation() {
  return {describe(), why_skip, estimate, run, [](const base::Values& axes) -> Index { return axes.integer("length"); }};
}

}  // namespace poslab::experiments
