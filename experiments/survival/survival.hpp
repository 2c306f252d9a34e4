// SPDX-License-Identifier: Apache-2.0
// Does the residual stream still tell where a token stands? Definitions: survival.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/network/random_layers.hpp"

namespace poslab::experiments::survival {

using base::Index;

struct Survival final : Definition {
  static constexpr About about{
      .id = "survival",
      .version = "1.1",
      .title = "Survival of positions",
      .question = "Does the residual stream still tell, layer after layer, where a token stands?",
      .draws_contents = true,
      .default_repeats = 3};

  Index length, symbols, feed_forward, sequences, held_out;
  AttentionMask mask;
  double penalty;
  Dtype dtype;
  std::vector<double> depth;
  static Axes<Survival> axes();

  // The same draws give the same streams but for rounding, which a probe of standardised numbers passes on.
  static constexpr data::Tolerance drawn{.absolute = 1e-9, .statistical = true},
      drawn_in_float32{.absolute = 1e-3, .statistical = true};

  static constexpr Measure<Depth> r2{
      .name = "r2",
      .sentence = "how much of a token's place a linear probe reads off the residual stream, on held-out sequences",
      .definition =
          "1 - sum (p - q)^2 / sum (p - mean p)^2, q the place that ridge regression on the standardised "
          "stream gives a token at place p",
      .null_value = "chance_r2 without a mask; under a causal mask what the mask tells",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Measure<Depth> mean_absolute_error{
      .name = "mean_absolute_error",
      .unit = "position",
      .sentence = "how far the probe is off, on average over held-out tokens",
      .definition = "mean |p - q|",
      .null_value = "chance_error without a mask",
      .tolerance = {.absolute = 1e-8, .statistical = true},
      .float32 = data::Tolerance{.absolute = 0.05, .statistical = true}};
  static constexpr Measure<Depth> fitted_r2{
      .name = "fitted_r2",
      .sentence = "r2 on the sequences that the probe was fitted on: what it learnt of chance is in it, too",
      .definition = "as r2, over the tokens of the first `sequences` sequences",
      .null_value = "the channels over the rows it was fitted on, or more where rows hang together",
      .tolerance = drawn,
      .float32 = drawn_in_float32};
  static constexpr Scalar chance_r2{.name = "chance_r2",
                                    .sentence =
                                        "r2 of always saying the middle; a fitted probe that knows nothing is "
                                        "below by its channels over the rows it was fitted on",
                                    .definition = "0",
                                    .null_value = "itself",
                                    .tolerance = exact()};
  static constexpr Scalar chance_error{
      .name = "chance_error",
      .unit = "position",
      .sentence = "mean_absolute_error of always saying the middle",
      .definition = "T / 4 for an even number T of tokens, (T - 1 / T) / 4 for an odd one",
      .null_value = "itself",
      .tolerance = relative(1e-15)};
  static constexpr std::tuple measures{r2, mean_absolute_error, fitted_r2, chance_r2, chance_error};

  Index model_train_length() const override { return length; }
  Index scheme_layers() const override;
  bool takes_mixed() const override { return true; }
  bool takes_network() const override { return true; }
  std::optional<base::Refusal> why_not_network(const Setting& of, const data::Values& axes) const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// The options of the stack whose stream is probed.
  network::StackOptions stack(const host::Model& model) const {
    return network::random_stack(model, length, feed_forward * model.model_width, mask == AttentionMask::causal);
  }
  network::StackCapacity capacity() const { return {sequences + held_out, length}; }
};

}  // namespace poslab::experiments::survival
