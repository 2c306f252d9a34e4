// SPDX-License-Identifier: Apache-2.0
// Does every position, or every offset, have its own code? The distances of all pairs of signatures, or of a sample
// (sampled.cpp); for schemes without a code of their own, what equal tokens show (equal_tokens.cpp).
// Dimension letters: N positions, W width of a signature, D model width, H heads, K head width, C contents.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "equal_tokens.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/rotation_claim.hpp"
#include "poslab/numerics/distinct.hpp"
#include "poslab/numerics/rotation.hpp"
#include "poslab/numerics/statistics.hpp"
#include "sampled.hpp"

namespace poslab::experiments {
namespace {

using attention::Offsets;
using attention::SignatureKind;
using base::Array;
using base::Index;
using base::View;
using uniqueness::collision_tolerance;
using uniqueness::equal_tokens;
using uniqueness::EqualTokens;

Offsets offsets_of(const data::Values& axes) {
  return axes.text("offsets") == "both" ? Offsets::both : Offsets::causal;
}

SignatureKind kind_of(const host::Scheme& scheme, const data::Values& axes) {
  const std::string& kind = axes.text("kind");
  if (kind == "position") return SignatureKind::position;
  if (kind == "offset") return SignatureKind::offset;
  // Codes of nothing are those of positions and of offsets alike; who asks for both signs asks for offsets.
  if (!scheme.looks_at_positions() && offsets_of(axes) == Offsets::both) return SignatureKind::offset;
  return attention::natural_kind(scheme);
}

bool is_sampled(const data::Values& axes) { return axes.text("search") == "sampled"; }

// Whose code is that of its content: asked for what it works with, it shows what equal tokens are told.
bool shows_equal_tokens(const host::Scheme& scheme, const data::Values& axes) {
  return axes.text("kind") == "natural" && attention::looks_at_content(scheme);
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const SignatureKind kind = kind_of(scheme, axes);
  const bool is_contextual = shows_equal_tokens(scheme, axes);
  if (const std::string reason = attention::why_no_signature(scheme, kind); !is_contextual && !reason.empty())
    return reason;
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: distances of its signatures mean nothing", scheme.info().id);
  if (kind == SignatureKind::offset || is_contextual)
    if (const std::string reason = scheme.why_not_mask(offsets_of(axes) == Offsets::causal); !reason.empty())
      return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

// What the rows are codes of: tokens at `positions`, or the offsets of one of them, the query.
struct Coded {
  SignatureKind kind;
  Array<double> positions;  // [N, A]
  Index query = 0;

  Coded(const ExperimentInput& input, Index N)
      : kind(kind_of(input.scheme, input.axes)), positions(input.positions(N)) {
    const std::vector<Index> extents = input.placement.is_grid() ? input.placement.extents : std::vector<Index>{N};
    query = attention::query_of(offsets_of(input.axes), extents);
  }
  bool has_both_signs(const data::Values& axes) const {
    return kind == SignatureKind::offset && offsets_of(axes) == Offsets::both;
  }
  // The positions of the rows, or their offsets from the query: [N, A].
  Array<double> coordinates() const {
    return kind == SignatureKind::offset ? attention::offset_vectors(positions, query) : positions.copy();
  }
};

template <class S>
Array<S> signatures(const ExperimentInput& input, const Coded& coded) {
  const host::Context context{coded.positions.extent(0), input.scheme.model().train_length,
                              offsets_of(input.axes) == Offsets::causal};
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  if (coded.kind == SignatureKind::offset)
    return attention::offset_signatures<S>(input.scheme, context, coded.positions, coded.query, views);
  return attention::position_signatures<S>(input.scheme, context, coded.positions, views);
}

template <class S>
double root_mean_square_norm(View<const S> rows) {
  double squares = 0;
  for (const S x : rows.flat()) squares += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(squares / static_cast<double>(rows.shape[0]));
}

// min over r > 0 of |phi(r) - phi(-r)|, rows of the offsets [N, A]; infinity if no offset has a mirror image.
template <class S>
double mirror_distance(View<const S> rows, View<const double> offsets) {
  std::map<std::vector<double>, Index> row_of;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index row = 0; row < rows.shape[0]; ++row) {
    std::vector<double> offset(offsets[row].begin(), offsets[row].end());
    for (double& x : offset) x = 0.0 - x;
    if (const auto mirrored = row_of.find(offset); mirrored != row_of.end())
      smallest =
          std::min(smallest, numerics::squared_distance(&rows(row, 0), &rows(mirrored->second, 0), rows.shape[1]));
    for (double& x : offset) x = 0.0 - x;
    row_of[std::move(offset)] = row;
  }
  return std::sqrt(smallest);
}

// How many codes are left where their numbers are stored in fewer bits: bfloat16 is made of float32, as programs do.
template <class S>
void record_rounded(const Array<S>& phi, data::Record& record) {
  using numerics::Stored;
  record.scalar("distinct_float32", static_cast<double>(numerics::distinct_rows<S>(phi, Stored::as_float32)));
  record.scalar("distinct_bfloat16", static_cast<double>(numerics::distinct_rows<S>(phi, Stored::as_bfloat16)));
}

template <class S>
data::Record measure_equal_tokens(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const Coded coded(input, N);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  const host::Context context{N, input.scheme.model().train_length, offsets_of(input.axes) == Offsets::causal};
  const Index C = input.axes.integer("contents");
  const Array<S> tokens = as<S>(input.draws.normal("token", {C, input.scheme.model().model_width}));
  const EqualTokens found =
      equal_tokens<S>(input.scheme, context, coded.positions, coded.query, views, tokens, collision_tolerance);
  data::Record record;
  record.scalar("distinct_positions", found.distinct);
  record.scalar("told_apart", found.told_apart);
  return record;
}

// What all pairs of codes say, or the offsets that can matter where they say the same.
template <class S>
void record_all(const ExperimentInput& input, const Coded& coded, const Array<S>& phi, double norm,
                data::Record& record) {
  const bool may_rotate = coded.kind == SignatureKind::position;
  const numerics::Neighbours neighbours = numerics::nearest_neighbours<S>(
      phi, numerics::Radius::share_of_norms<S>(collision_tolerance, phi),
      may_rotate ? rotation_claim(input.scheme, input.placement) : numerics::RotationClaim{});
  if (neighbours.closest) {
    record.scalar("min_distance", neighbours.closest->distance);
    record.scalar("closest_first", static_cast<double>(neighbours.closest->first));
    record.scalar("closest_second", static_cast<double>(neighbours.closest->second));
    record.scalar("relative_margin", numerics::ratio_or_zero(neighbours.closest->distance, norm));
  }
  if (neighbours.closest && coded.kind == SignatureKind::offset && !input.scheme.has(host::Operation::mix))
    record.scalar("min_distance_nats",
                  neighbours.closest->distance / std::sqrt(static_cast<double>(input.scheme.model().heads)));
  record.scalar("collisions", neighbours.collisions);
  record.scalar("distinct", static_cast<double>(neighbours.distinct));
  std::vector<double> nearest;
  for (const Index other : neighbours.nearest)
    nearest.push_back(other < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(other));
  record.curve("nearest_distance", {"position"}, neighbours.distance);
  record.curve("nearest_position", {"position"}, nearest);
}

template <class S>
data::Record measure(const ExperimentInput& input) {
  if (shows_equal_tokens(input.scheme, input.axes)) return measure_equal_tokens<S>(input);
  const Index N = input.axes.integer("length");
  const Coded coded(input, N);
  const Array<S> phi = signatures<S>(input, coded);  // [N, W]
  const double norm = root_mean_square_norm<S>(phi);
  const Array<double> coordinates = coded.coordinates();

  data::Record record;
  record.coordinate("position", numbers_below(N));
  record_coordinates(record, input.placement, "position", coordinates);
  record.scalar("norm", norm);
  record_rounded(phi, record);
  if (is_sampled(input.axes) && N > 1)
    uniqueness::record_sampled<S>(
        phi, uniqueness::sampled_rows(N, input.axes.integer("samples"), input.draws.contents("sampled codes", {N})),
        numerics::Radius::share_of_norms<S>(collision_tolerance, phi), record);
  else
    record_all(input, coded, phi, norm, record);
  if (coded.has_both_signs(input.axes))
    if (const double distance = mirror_distance<S>(phi, coordinates); std::isfinite(distance))
      record.scalar("mirror_distance", distance);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return measure<decltype(scalar)>(input); });
}

// The widest signature has four blocks of D and H numbers; the sieve keeps a float32 copy of it. Codes that rotate, and
// sampled ones, need neither the copy nor all pairs: they are read a few times.
// The share of the pairs' work that a search takes which leaves out what cannot be near: measured of random rows.
constexpr double searched = 1.0 / 12;

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const double N = static_cast<double>(axes.integer("length")), D = static_cast<double>(scheme.model().model_width);
  if (shows_equal_tokens(scheme, axes)) {
    const double C = static_cast<double>(axes.integer("contents")), H = static_cast<double>(scheme.model().heads);
    return {8 * (8 * N * D + 4 * N * H + C * D), C * (N * D * 8 + N * N * H)};
  }
  const bool is_offset = kind_of(scheme, axes) == SignatureKind::offset, is_wide = scheme.has(host::Operation::score);
  const double width = is_offset ? (is_wide ? 4 * D : D) : D;
  const double making = is_offset && is_wide ? 3 * 8 * N * D + 8 * N * width : 0;
  const double number = with_dtype(axes, [](auto scalar) { return static_cast<double>(sizeof scalar); });
  const double table = number * N * width + making, lists = 300 * N, reading = 40 * N * width;
  if (is_sampled(axes)) {
    const double M = std::min(N, static_cast<double>(axes.integer("samples")));
    return {table + lists, reading + 3 * M * N * width};
  }
  if (!is_offset && seems_to_rotate(scheme, placement, axes.integer("length"))) return {table + lists, reading};
  return {table + 4 * N * width + 500 * N, reading + searched * N * N * width};
}

}  // namespace

data::ExperimentInfo describe_uniqueness();  // declaration.cpp
data::AnswerColumn column_of_uniqueness();   // answer.cpp
data::Answer answer_of_uniqueness(const Point& point);

Experiment make_uniqueness() {
  return {describe_uniqueness(), why_skip, estimate, run, axis_length, column_of_uniqueness(), answer_of_uniqueness};
}

}  // namespace poslab::experiments
