// SPDX-License-Identifier: Apache-2.0
// Do attention logits fall with the distance between query and key? Definitions: distance-profile.md.
// Dimension letters: N tokens, D model width, H heads, C contents, R distances.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "answer.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/data/mean_and_error.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "profile.hpp"
#include "rotary_bound.hpp"
#include "shape.hpp"

namespace poslab::experiments {
namespace distance_profile {
namespace {

void require_finite(const std::vector<double>& means, const Distances& distances) {
  for (std::size_t i = 0; i < means.size(); ++i)
    if (!std::isfinite(means[i]))
      throw data::NotFinite("the mean logit", fmt::format("distance {:g}", distances.values()[i]), means[i]);
}

void record_heads(const Curves& of_heads, const Distances& distances, const std::string& contents,
                  const std::string& dtype, data::Record& record) {
  const auto R = static_cast<std::ptrdiff_t>(distances.values().size());
  std::vector<double> lengths, falls;
  for (auto head = of_heads.change.begin(); head != of_heads.change.end(); head += R) {
    const std::vector<double> before = before_the_query({head, head + R}, distances.zero());
    lengths.push_back(decay_length(before, slack_of(before, dtype)));
    falls.push_back(fall(before));
  }
  record.curve("head_decay_length_" + contents, {"head"}, lengths);
  record.curve("head_fall_" + contents, {"head"}, falls);
}

// Where each head looks if only distances tell keys apart. `of_heads` are the curves of ones.
std::vector<double> attended_distances(const Curves& of_heads, const Distances& distances) {
  const auto R = static_cast<std::ptrdiff_t>(distances.values().size());
  std::vector<double> attended;
  for (auto head = of_heads.mean.begin(); head != of_heads.mean.end(); head += R)
    attended.push_back(attended_distance(before_the_query({head, head + R}, distances.zero())));
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

void record_profile(const Profile& profile, const Distances& distances, const std::string& contents,
                    const std::string& dtype, data::Record& record) {
  require_finite(profile.all.mean, distances);
  record.curve("mean_" + contents, {"distance"}, profile.all.mean);
  record.curve("deviation_" + contents, {"distance"}, profile.all.deviation);
  record.curve("change_" + contents, {"distance"}, profile.all.change);
  record.curve("head_mean_" + contents, {"head", "distance"}, profile.of_heads.mean);
  record.curve("head_deviation_" + contents, {"head", "distance"}, profile.of_heads.deviation);
  const std::vector<double> before = before_the_query(profile.all.change, distances.zero());
  const double slack = slack_of(before, dtype);
  record.scalar("fall_" + contents, fall(before));
  if (contents != to_text(Contents::ones)) record.scalar("fall_error_" + contents, fall_error(profile, distances));
  record.scalar("monotonicity_" + contents, monotonicity(before, slack));
  record.scalar("first_rise_" + contents, first_rise(before, slack));
  record.scalar("decay_length_" + contents, decay_length(before, slack));
  record_heads(profile.of_heads, distances, contents, dtype, record);
  if (distances.zero() > 0) record.scalar("asymmetry_" + contents, asymmetry(profile.all.change, distances.zero()));
}

void record_bound(const ExperimentInput& input, const Distances& distances, data::Record& record) {
  const host::Scheme& scheme = input.scheme;
  if (input.placement.axes() > 1) return;  // an angle an axis
  const host::Weights<double> weights = draw_weights<double>(input);
  const host::Context context{input.axes.integer("length"), scheme.model().train_length,
                              input.axes.text("offsets") == "causal"};
  if (const auto bound = rotary_bound(scheme, context, weights.of_layer(0), distances.values()))
    record.curve("bound", {"distance"}, *bound);
}

data::Record run(const ExperimentInput& input) {
  const base::Array<double> positions = input.positions(input.axes.integer("length"));
  const std::string& dtype = input.axes.text("dtype");
  const Distances distances(input.placement, positions, input.axes.text("offsets") == "both");
  data::Record record;
  record.coordinate("distance", distances.values());
  record.coordinate("head", numbers_below(input.scheme.model().heads));
  with_dtype(input.axes, [&](auto scalar) {
    for (const Contents contents : all_contents) {
      const Index count = contents == Contents::ones ? 1 : input.axes.integer("contents");
      const Profile of = profile<decltype(scalar)>(input, distances, contents, count);
      record_profile(of, distances, to_text(contents), dtype, record);
      if (contents == Contents::ones && !input.placement.is_grid())
        record.curve("attended_distance", {"head"}, attended_distances(of.of_heads, distances));
    }
  });
  record_bound(input, distances, record);
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  using Policy = data::Placement::Policy;
  if (placement.policy == Policy::randomised || placement.policy == Policy::at)
    return fmt::format(
        "positions = {} have uneven distances, of which most belong to one pair: a profile needs those "
        "of a sequence or of a grid",
        placement.text());
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: its logits have no mean", scheme.info().id);
  if (std::string reason = scheme.why_not_mask(axes.text("offsets") == "causal"); !reason.empty()) return reason;
  return scheme.why_not_positions(placement.lowest(), placement.highest(axes.integer("length")));
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const double N = axes.real("length"), C = axes.real("contents");
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double at_once = std::min(C, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  const double distances = axes.text("offsets") == "both" ? 2 * N : N;
  const double tile = H * std::min(N, static_cast<double>(attention::queries_per_tile)) * N;
  data::Estimate guess;
  guess.bytes = at_once * 8 * (10 * N * D + 5 * tile) + (C + 2) * 14 * 8 * H * distances;
  if (placement.is_grid()) guess.bytes += 4 * N * N;
  guess.operations = (2 * C + 1) * (4 * N * N * D + 30 * H * N * N);
  return guess;
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp

}  // namespace distance_profile

Experiment make_distance_profile() {
  using namespace distance_profile;
  return {describe(), why_skip, estimate, run, axis_length, column(), answer};
}

}  // namespace poslab::experiments
