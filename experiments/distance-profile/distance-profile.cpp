// SPDX-License-Identifier: Apache-2.0
// Do attention logits fall with the distance between query and key? Definitions: distance-profile.md.
// Dimension letters: N tokens, D model width, H heads, C contents, R distances.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "distance-profile.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "profile.hpp"
#include "rotary_bound.hpp"
#include "shape.hpp"
#include "tally.hpp"

namespace poslab::experiments {
namespace distance_profile {

Axes<DistanceProfile> DistanceProfile::axes() {
  return {{&DistanceProfile::length, length_axis(256)},
          {&DistanceProfile::contents, contents_axis()},
          {&DistanceProfile::offsets,
           {.name = "offsets",
            .choices = {{Offsets::causal, "causal"}, {Offsets::both, "both"}},
            .sentence = "which keys: the query's own and those before it (causal mask), or all of them (no mask)"}},
          {&DistanceProfile::dtype, dtype_axis()}};
}

namespace {

void require_finite(const std::vector<double>& means, const Distances& distances) {
  for (std::size_t i = 0; i < means.size(); ++i)
    if (!std::isfinite(means[i]))
      throw data::not_finite("the mean logit", fmt::format("distance {:g}", distances.values()[i]), means[i]);
}

void record_heads(const Curves& of_heads, const Distances& distances, const ProfileMeasures& measures, Dtype dtype,
                  Output& out) {
  const auto R = static_cast<std::ptrdiff_t>(distances.values().size());
  std::vector<double> lengths, falls;
  for (auto head = of_heads.change.begin(); head != of_heads.change.end(); head += R) {
    const std::vector<double> before = before_the_query({head, head + R}, distances.zero());
    lengths.push_back(decay_length(before, slack_of(before, dtype)));
    falls.push_back(fall(before));
  }
  out.set(measures.head_decay_length, lengths);
  out.set(measures.head_fall, falls);
}

// Where each head looks if only distances tell keys apart. `of_heads` are the curves of ones.
std::vector<double> attended_distances(const Curves& of_heads, const Distances& distances) {
  const auto R = static_cast<std::ptrdiff_t>(distances.values().size());
  std::vector<double> attended;
  for (auto head = of_heads.mean.begin(); head != of_heads.mean.end(); head += R)
    attended.push_back(mean_under_softmax(before_the_query({head, head + R}, distances.zero())));
  return attended;
}

double fall_error(const Profile& profile, const Distances& distances) {
  std::vector<double> falls;
  for (const std::vector<double>& change : profile.content_change)
    falls.push_back(fall(before_the_query(change, distances.zero())));
  // One content says nothing of the others, and what is not defined has no error.
  return falls.size() < 2 || std::isnan(falls.front()) ? std::numeric_limits<double>::quiet_NaN()
                                                       : data::mean_and_error(falls).error;
}

void record_profile(const Profile& profile, const Distances& distances, const ProfileMeasures& measures, Dtype dtype,
                    Output& out) {
  require_finite(profile.all.mean, distances);
  out.set(measures.mean, profile.all.mean);
  out.set(measures.deviation, profile.all.deviation);
  out.set(measures.change, profile.all.change);
  out.set(measures.head_mean, profile.of_heads.mean);
  out.set(measures.head_deviation, profile.of_heads.deviation);
  const std::vector<double> before = before_the_query(profile.all.change, distances.zero());
  const double slack = slack_of(before, dtype);
  out.set(measures.fall, fall(before));
  if (measures.contents != Contents::ones) out.set(measures.fall_error, fall_error(profile, distances));
  out.set(measures.monotonicity, monotonicity(before, slack));
  out.set(measures.first_rise, first_rise(before, slack));
  out.set(measures.decay_length, decay_length(before, slack));
  record_heads(profile.of_heads, distances, measures, dtype, out);
  if (distances.zero() > 0) out.set(measures.asymmetry, asymmetry(profile.all.change, distances.zero()));
}

void record_bound(const DistanceProfile& at, const ExperimentInput& input, const Distances& distances, Output& out) {
  const host::Scheme& scheme = input.scheme;
  if (input.placement.axes() > 1) return;  // an angle an axis
  const host::Weights<double> weights = draw_weights<double>(input);
  const host::Context context{at.length, scheme.model().train_length, at.offsets == Offsets::causal};
  if (const auto bound = rotary_bound(scheme, context, weights.layer(0), distances.values())) out.set(at.bound, *bound);
}

}  // namespace

void DistanceProfile::run(const ExperimentInput& input, Output& out) const {
  const Distances distances(input.placement, input.positions(length), offsets == Offsets::both);
  out.coordinate<Distance>(distances.values());
  out.coordinate<Head>(numbers_below(input.scheme.model().heads));
  with_dtype(dtype, [&]<class S>(S) {
    for (const ProfileMeasures* of : all_contents) {
      const bool is_ones = of->contents == Contents::ones;
      const Profile found = profile<S>(input, offsets, distances, of->contents, is_ones ? 1 : contents);
      record_profile(found, distances, *of, dtype, out);
      if (is_ones && !input.placement.is_grid())
        out.set(attended_distance, attended_distances(found.of_heads, distances));
    }
  });
  record_bound(*this, input, distances, out);
}

std::optional<base::Refusal> DistanceProfile::why_skip(const Setting& of) const {
  using Policy = data::Placement::Policy;
  if (of.placement.policy == Policy::randomised || of.placement.policy == Policy::at)
    return fmt::format(
        "positions = {} have uneven distances, of which most belong to one pair: a profile needs those "
        "of a sequence or of a grid",
        of.placement.text());
  if (auto refusal = why_not_finite(of.scheme, "its logits have no mean")) return refusal;
  return of.why_not_attended(offsets == Offsets::causal, length);
}

std::optional<base::Refusal> DistanceProfile::why_not_network(const Setting& of, const data::Values& axes) const {
  return why_not_looked_into(of, axes, 1, offsets == Offsets::causal);
}

// A content as drawn, without and with positions, and as transformed; the logits of a tile of both; tallies of every
// content, head and distance.
data::Estimate DistanceProfile::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, C, Nq] = reckoned(length, contents, std::min(length, attention::queries_per_tile));
  const double seen = offsets == Offsets::both ? N : N / 2, distances = offsets == Offsets::both ? 2 * N : N,
               all = 2 * C + 1;
  return {at_once(C) * needs.bytes * (9 * N * needs.D + needs.H * Nq * N + needs.logits(Nq, N)) +
              (C + 2) * needs.H * distances * sizeof(Tally) + (of.placement.is_grid() ? 4 * N * N : 0),
          all * (needs.draw(2 * N * needs.D) + needs.code(N) + needs.attend(N * seen) +
                 needs.products(N * seen * needs.D) + 12 * needs.H * N * seen)};
}

}  // namespace distance_profile

Experiment make_distance_profile() { return experiment_of<distance_profile::DistanceProfile>(); }

}  // namespace poslab::experiments
