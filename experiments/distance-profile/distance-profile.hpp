// SPDX-License-Identifier: Apache-2.0
// Do attention logits fall with the distance between query and key? Definitions: distance-profile.md.
#pragma once

#include <array>
#include <tuple>

#include "measures.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::distance_profile {

using attention::Offsets;

struct DistanceProfile final : Definition {
  static constexpr About about{.id = "distance-profile",
                               .version = "2.1",
                               .title = "Logits by distance",
                               .question = "Do attention logits fall with the distance between query and key?",
                               .draws_contents = true};

  Index length, contents;
  Offsets offsets;
  Dtype dtype;
  static Axes<DistanceProfile> axes();

  static constexpr ProfileMeasures random = measures_of<Contents::random>(), equal = measures_of<Contents::equal>(),
                                   ones = measures_of<Contents::ones>();
  static constexpr std::array all_contents{&random, &equal, &ones};
  static constexpr Measure<Head> attended_distance{
      .name = "attended_distance",
      .unit = "position",
      .sentence = "how far a head looks back on average if only distances tell keys apart, in a sequence",
      .definition = "sum_r r w_r, w the softmax over r = 0 .. N-1 of head_mean_ones(r)",
      .null_value = "(N - 1) / 2",
      .tolerance = {.relative = 1e-11, .per_length = 1e-12},
      .float32 = data::Tolerance{.relative = 1e-4, .per_length = 1e-5}};
  static constexpr Measure<Distance> bound{
      .name = "bound",
      .sentence = "RoFormer's upper bound on what a rotation leaves of a logit, over the greatest step of its contents",
      .definition = "(1/J) sum_(j=1..J) |sum_(i<j) exp(i r theta_i)|, theta falling, J = K / 2 planes; mean over heads",
      .null_value = "absent",
      .tolerance = {.absolute = 1e-11, .per_position = 1e-12}};
  static constexpr std::tuple measures =
      std::tuple_cat(curves_in(random), curves_in(equal), curves_in(ones), std::tuple{random.fall, random.fall_error},
                     shapes_in(random), std::tuple{equal.fall, equal.fall_error}, shapes_in(equal),
                     std::tuple{ones.fall}, shapes_in(ones), std::tuple{attended_distance, bound});

  Index model_train_length() const override { return length; }
  bool takes_network() const override { return true; }
  std::optional<base::Refusal> why_not_network(const Setting& of, const data::Values& axes) const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;
};

}  // namespace poslab::experiments::distance_profile
