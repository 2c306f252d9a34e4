// SPDX-License-Identifier: Apache-2.0
// Does every position, or every offset, have its own code? The distances of all pairs of signatures, or of a sample
// (sampled.cpp); for schemes without a code of their own, what equal tokens show (equal_tokens.cpp).
// Dimension letters: N positions, W width of a signature, D model width, H heads, K head width, C contents.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "equal_tokens.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/rotation_claim.hpp"
#include "poslab/numerics/distinct.hpp"
#include "poslab/numerics/rotation.hpp"
#include "poslab/numerics/statistics.hpp"
#include "sampled.hpp"
#include "uniqueness.hpp"

namespace poslab::experiments {
namespace uniqueness {

using attention::Offsets;
using attention::SignatureKind;
using base::Array;
using base::View;

Axes<Uniqueness> Uniqueness::axes() {
  return {
      {&Uniqueness::length, length_axis()},
      {&Uniqueness::kind,
       {.name = "kind",
        .choices = {{Kind::natural, "natural"}, {Kind::position, "position"}, {Kind::offset, "offset"}},
        .sentence = "whose codes: those of positions, those of offsets, or those that the scheme works with"}},
      {&Uniqueness::offsets,
       {.name = "offsets",
        .choices = {{Offsets::causal, "causal"}, {Offsets::both, "both"}},
        .sentence = "which offsets: 0 to N - 1 (the query last), or both signs (the query in the middle)"}},
      {&Uniqueness::contents, contents_axis()},
      {&Uniqueness::dtype, dtype_axis()},
      {&Uniqueness::search,
       {.name = "search",
        .choices = {{Search::exact, "exact"}, {Search::sampled, "sampled"}},
        .sentence = "whether all codes are held against all others, or so many samples against all"}},
      {&Uniqueness::samples,
       {.name = "samples",
        .default_value = 256,
        .range = from_one,
        .unit = "codes",
        .sentence = "search sampled: how many codes are held against all"}},
  };
}

SignatureKind Uniqueness::kind_of(const host::Scheme& scheme) const {
  if (kind == Kind::position) return SignatureKind::position;
  if (kind == Kind::offset) return SignatureKind::offset;
  // Codes of nothing are those of positions and of offsets alike; who asks for both signs asks for offsets.
  if (!scheme.looks_at_positions() && offsets == Offsets::both) return SignatureKind::offset;
  return attention::natural_kind(scheme);
}

bool Uniqueness::shows_equal_tokens(const host::Scheme& scheme) const {
  return kind == Kind::natural && attention::looks_at_content(scheme);
}

std::optional<base::Refusal> Uniqueness::why_skip(const Setting& of) const {
  const SignatureKind signature = kind_of(of.scheme);
  const bool is_contextual = shows_equal_tokens(of.scheme);
  if (auto refusal = attention::why_no_signature(of.scheme, signature); refusal && !is_contextual) return refusal;
  if (auto refusal = why_not_finite(of.scheme, "distances of its signatures mean nothing")) return refusal;
  if (signature == SignatureKind::offset || is_contextual)
    return of.why_not_attended(offsets == Offsets::causal, length);
  return of.why_not_length(length);
}

namespace {

// What the rows are codes of: tokens at `positions`, or the offsets of one of them, the query.
struct Coded {
  SignatureKind kind;
  Array<double> positions;  // [N, A]
  Index query = 0;

  Coded(const Uniqueness& at, const ExperimentInput& input)
      : kind(at.kind_of(input.scheme)), positions(input.positions(at.length)) {
    const std::vector<Index> extents =
        input.placement.is_grid() ? input.placement.extents : std::vector<Index>{at.length};
    query = attention::query_of(at.offsets, extents);
  }
  // The positions of the rows, or their offsets from the query: [N, A].
  Array<double> coordinates() const {
    return kind == SignatureKind::offset ? attention::offset_vectors(positions, query) : positions.copy();
  }
};

template <class S>
Array<S> signatures(const Uniqueness& at, const ExperimentInput& input, const Coded& coded) {
  const host::Context context{coded.positions.extent(0), input.scheme.model().train_length,
                              at.offsets == Offsets::causal};
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
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
void record_rounded(const Array<S>& phi, Output& out) {
  using numerics::Stored;
  out.set(Uniqueness::distinct_float32, static_cast<double>(numerics::distinct_rows<S>(phi, Stored::as_float32)));
  out.set(Uniqueness::distinct_bfloat16, static_cast<double>(numerics::distinct_rows<S>(phi, Stored::as_bfloat16)));
}

template <class S>
void measure_equal_tokens(const Uniqueness& at, const ExperimentInput& input, Output& out) {
  const Coded coded(at, input);
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.layer(0);
  const host::Context context{at.length, input.scheme.model().train_length, at.offsets == Offsets::causal};
  const Array<S> tokens = as<S>(input.draws.normal("token", {at.contents, input.scheme.model().model_width}));
  const EqualTokens found =
      equal_tokens<S>(input.scheme, context, coded.positions, coded.query, views, tokens, collision_tolerance);
  out.set(Uniqueness::distinct_positions, found.distinct);
  out.set(Uniqueness::told_apart, found.told_apart);
}

// What all pairs of codes say, or the offsets that can matter where they say the same.
template <class S>
void record_all(const ExperimentInput& input, const Coded& coded, const Array<S>& phi, double norm, Output& out) {
  const bool may_rotate = coded.kind == SignatureKind::position;
  const numerics::Neighbours neighbours = numerics::nearest_neighbours<S>(
      phi, numerics::Radius::share_of_norms<S>(collision_tolerance, phi),
      may_rotate ? rotation_claim(input.scheme, input.placement) : numerics::RotationClaim{});
  if (neighbours.closest) {
    out.set(Uniqueness::min_distance, neighbours.closest->distance);
    out.set(Uniqueness::closest_first, static_cast<double>(neighbours.closest->first));
    out.set(Uniqueness::closest_second, static_cast<double>(neighbours.closest->second));
    out.set(Uniqueness::relative_margin, numerics::ratio_or_zero(neighbours.closest->distance, norm));
  }
  if (neighbours.closest && coded.kind == SignatureKind::offset && !input.scheme.has(host::Operation::mix))
    out.set(Uniqueness::min_distance_nats,
            neighbours.closest->distance / std::sqrt(static_cast<double>(input.scheme.model().heads)));
  out.set(Uniqueness::collisions, neighbours.collisions);
  out.set(Uniqueness::distinct, static_cast<double>(neighbours.distinct));
  std::vector<double> nearest;
  for (const Index other : neighbours.nearest)
    nearest.push_back(other < 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(other));
  out.set(Uniqueness::nearest_distance, neighbours.distance);
  out.set(Uniqueness::nearest_position, nearest);
}

template <class S>
void measure(const Uniqueness& at, const ExperimentInput& input, Output& out) {
  if (at.shows_equal_tokens(input.scheme)) return measure_equal_tokens<S>(at, input, out);
  const Index N = at.length;
  const Coded coded(at, input);
  const Array<S> phi = signatures<S>(at, input, coded);  // [N, W]
  const double norm = root_mean_square_norm<S>(phi);
  const Array<double> coordinates = coded.coordinates();

  out.coordinate<Position>(numbers_below(N), input.placement, coordinates);
  out.set(Uniqueness::norm, norm);
  record_rounded(phi, out);
  if (at.search == Search::sampled && N > 1)
    record_sampled<S>(phi, sampled_rows(N, at.samples, input.draws.contents("sampled codes", {N})),
                      numerics::Radius::share_of_norms<S>(collision_tolerance, phi), out);
  else
    record_all(input, coded, phi, norm, out);
  if (coded.kind == SignatureKind::offset && at.offsets == Offsets::both)
    if (const double distance = mirror_distance<S>(phi, coordinates); std::isfinite(distance))
      out.set(Uniqueness::mirror_distance, distance);
}

// The share of N^2 W multiplications that a search takes which leaves out what cannot be near, measured of random rows.
constexpr double searched = 0.4;

}  // namespace

void Uniqueness::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

// The table of codes, as it is made, then with half of it again for the search; what is found of every row.
data::Estimate Uniqueness::estimate(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const Needs needs(scheme, dtype);
  const auto [N, C, M] = reckoned(length, contents, std::min(length, samples));
  if (shows_equal_tokens(scheme))
    return {needs.bytes * (4 * N * needs.D + needs.logits(1, N)) + 8 * N * needs.H + 400 * N,
            C * (needs.code(N) + needs.attend(N) + 40 * N * needs.H + needs.products(N * N * needs.H * searched))};
  const bool is_offset = kind_of(scheme) == SignatureKind::offset;
  const double W = is_offset ? needs.offset_width() : needs.code_width(), table = needs.bytes * N * W;
  const double made = needs.bytes * (is_offset ? needs.offset_signatures(N) : needs.position_signatures(N));
  const double reading =
      is_offset ? needs.probe_offsets(N) + 10 * N * W : needs.encode(N) + needs.transform(N) + 20 * N * W;
  const double rows = 2000 * N;
  if (search == Search::sampled) return {std::max(made, table + 150 * N), reading + rows + M * N * W / 2};
  const bool rotates = !is_offset && seems_to_rotate(scheme, of.placement, length);
  return {std::max(made, table + (rotates ? 0 : 4 * N * W) + 400 * N),
          reading + rows + (rotates ? 0 : needs.products(searched * N * N * W))};
}

}  // namespace uniqueness

Experiment make_uniqueness() { return experiment_of<uniqueness::Uniqueness>(); }

}  // namespace poslab::experiments
