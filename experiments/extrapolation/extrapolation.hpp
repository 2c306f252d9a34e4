// SPDX-License-Identifier: Apache-2.0
// What happens beyond the trained length? Definitions: extrapolation.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::extrapolation {

using base::Index;

struct Multiple {
  static constexpr InnerAxis dimension{"multiple"};
};
struct Position {
  static constexpr Dimension dimension{.name = "position",
                                       .unit = "position",
                                       .sentence = "p: a position, or for schemes that code offsets, query minus key",
                                       .within = [] {
                                         return std::vector<std::string>{"train_length", "multiple"};
                                       }};
};

struct Extrapolation final : Definition {
  static constexpr About about{.id = "extrapolation",
                               .version = "3.1",
                               .title = "Extrapolation",
                               .question = "What does the scheme do beyond the length that it was trained at?",
                               .draws_contents = true};

  Index train_length, points;
  Index step() const;  ///< from one measured position to the next
  Dtype dtype;
  std::vector<double> multiple;
  static Axes<Extrapolation> axes();

  // A float32 code is rounded by 6e-8 of its size, and the unit of novelty, a step of training, may be as small as 1/L
  // of that size: 6e-8 L, and a factor for the sum over a code's numbers. Means of logits are rounded by 6e-8 of the
  // largest.
  static constexpr data::Tolerance rounded_codes{.absolute = 1e-5, .relative = 1e-5, .per_length = 1e-6},
      rounded_means{.absolute = 1e-4, .relative = 1e-4};

  static constexpr Measure<Position> defined{.name = "defined",
                                             .unit = "flag",
                                             .sentence = "whether the scheme serves the position",
                                             .definition = "1 if it does, else 0",
                                             .null_value = "1",
                                             .tolerance = exact()};
  static constexpr Measure<Position> untrained{
      .name = "untrained",
      .sentence =
          "share of the position's code that weights hold which training never moves, as rows of a table "
          "for positions that training never shows",
      .definition =
          "largest, over arrays of weights, of u / (u + t): |phi'(p) - phi(p)|^2 where in phi' the "
          "entries of the array are drawn anew by which no trained phi(q), q < L, has a derivative (u), "
          "or all others (t); 0 where neither changes phi(p), or u changes a trained phi(q)",
      .null_value = "0",
      .tolerance = relative(1e-9)};
  static constexpr Measure<Position> novelty{
      .name = "novelty",
      .sentence = "how far the position's code is from all that training showed",
      .definition =
          "min over trained q < L of |phi(p) - phi(q)|, over the rms of |phi(q + 1) - phi(q)| in "
          "training; 0 where the distance is 0; of offsets phi of each context less what context_change "
          "takes off",
      .null_value = "0",
      .tolerance = relative(1e-12),
      .float32 = rounded_codes};
  static constexpr Measure<Multiple> context_change{
      .name = "context_change",
      .sentence = "how far the codes that training showed move in a longer context",
      .definition =
          "rms over p < L of |phi(p) in the context of multiple L - phi(p) in that of L|, over the rms of "
          "|phi(q + 1) - phi(q)| in training; 0 where the distance is 0; of offsets less the mean over p of the "
          "difference, which softmax cancels, in what meets no key",
      .null_value = "0",
      .tolerance = relative(1e-12),
      .float32 = rounded_codes};
  static constexpr Scalar unseen_planes{
      .name = "unseen_planes",
      .unit = "planes",
      .sentence = "planes of a head, or of the encoding, whose circle training never completes",
      .definition = "number of planes with 0 < theta L < 2 pi",
      .null_value = "0",
      .tolerance = exact()};
  static constexpr Scalar unseen_phase{.name = "unseen_phase",
                                       .sentence = "share of the rotating planes whose circle training never completes",
                                       .definition = "unseen planes over planes with theta > 0",
                                       .null_value = "0",
                                       .tolerance = exact()};
  static constexpr Measure<Position> logit_drift{
      .name = "logit_drift",
      .unit = "sd",
      .sentence = "how far the logits of a query of random contents here have moved from those of training",
      .definition =
          "(mean over keys n <= p and heads of s(x, y; p, n) - mean within L) / sd within L, one random content a "
          "repeat",
      .null_value = "0 on average",
      .tolerance = statistical()};
  static constexpr Measure<Position> logit_drift_none{
      .name = "logit_drift_none",
      .unit = "sd",
      .sentence = "logit_drift of attention without positions on the same contents",
      .definition = "logit_drift of the scheme none",
      .null_value = "0 on average",
      .tolerance = statistical()};
  static constexpr Measure<Position> logit_drift_excess{
      .name = "logit_drift_excess",
      .unit = "sd",
      .sentence = "what the scheme adds to the drift of the logits, on the same contents",
      .definition = "logit_drift - logit_drift_none",
      .null_value = "0",
      .tolerance = statistical()};
  static constexpr Measure<Position> equal_drift{
      .name = "equal_drift",
      .unit = "sd",
      .sentence =
          "how far the logits between equal tokens, less that of a query for its own key, have moved here "
          "from those of training",
      .definition =
          "(mean over keys n <= p and heads of s(x, x; p, n) - s(x, x; p, p) - mean within L of that) / "
          "sd within L of s(x, y; m, n) less its mean over n, one random content x of all tokens a "
          "repeat; y as in logit_drift",
      .null_value = "0",
      .tolerance = {.absolute = 1e-9, .relative = 1e-9},
      .float32 = rounded_means};
  static constexpr Measure<Position> effective_window{
      .name = "effective_window",
      .unit = "keys",
      .sentence = "how few keys hold 0.9 of a query's attention",
      .definition =
          "mean over heads of the smallest number of keys n <= p whose attention sums to 0.9, one random "
          "content a repeat",
      .null_value = "that of none",
      .tolerance = absolute(1e-9),
      .float32 = data::Tolerance{.absolute = 1, .relative = 1e-4}};  // a key more or less where a sum is near 0.9
  static constexpr std::tuple measures{
      defined,          untrained,          novelty,     context_change,  unseen_planes, unseen_phase, logit_drift,
      logit_drift_none, logit_drift_excess, equal_drift, effective_window};

  Index model_train_length() const override { return train_length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// The wanted multiples, ascending and without repeats.
  std::vector<Index> multiples() const;
};

}  // namespace poslab::experiments::extrapolation
