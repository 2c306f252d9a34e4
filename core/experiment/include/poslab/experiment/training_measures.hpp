// SPDX-License-Identifier: Apache-2.0
// The measures of a training itself, which every experiment that trains has before its own.
#pragma once

#include <tuple>

#include "poslab/experiment/declare.hpp"
#include "poslab/experiment/measure.hpp"

namespace poslab::experiments {

struct Step {
  static constexpr Dimension dimension{.name = "step",
                                       .unit = "steps",
                                       .sentence = "updates made so far",
                                       .within = [] { return std::vector<std::string>{"steps"}; },
                                       .reached = true};
};
struct HeldOutStep {
  static constexpr Dimension dimension{.name = "held_out_step",
                                       .unit = "steps",
                                       .sentence = "updates made when the held-out loss was measured",
                                       .within = [] { return std::vector<std::string>{"steps"}; },
                                       .reached = true};
};
struct TriedRate {
  static constexpr Dimension dimension{.name = "tried_rate",
                                       .sentence = "learning rate that was tried, from low to high"};
};
struct Layer {
  static constexpr Dimension dimension{.name = "layer", .sentence = "the layer's number, from 0", .within = [] {
                                         return std::vector<std::string>{"layers"};
                                       }};
};
struct Token {
  static constexpr Dimension dimension{
      .name = "token", .unit = "token", .sentence = "the token's place in a sequence of the trained length, from 0"};
};

/// Another order of a float32 sum is another training after some hundred steps, so that in float32 a measure of a
/// trained network is held to 1 % and `absolute`.
constexpr data::Tolerance trained_tolerance{.absolute = 1e-12, .statistical = true};
constexpr data::Tolerance trained_in_float32(double absolute = 1e-3) {
  return {.absolute = absolute, .relative = 1e-2, .statistical = true};
}

namespace of_training {

template <class... D>
constexpr Measure<D...> measured(const char* name, const char* unit, const char* sentence, const char* definition,
                                 const char* null_value = "none") {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = trained_tolerance,
          .float32 = trained_in_float32()};
}

inline constexpr Measure<Step> training_loss = measured<Step>(
                                   "training_loss", "nat", "loss of the batches since the point before",
                                   "mean over those steps of the mean cross entropy of the tokens that count, before "
                                   "the update"),
                               gradient_norm =
                                   measured<Step>("gradient_norm", "1", "norm of the gradient before clipping",
                                                  "mean over the steps since the point before"),
                               rate = measured<Step>("rate", "1", "learning rate of the last update", "the schedule's");
inline constexpr Measure<HeldOutStep> held_out_loss =
    measured<HeldOutStep>("held_out_loss", "nat", "loss on held-out sequences of the trained length or size",
                          "mean cross entropy of the tokens that count, after this many updates");
inline constexpr Measure<Layer> sink_share =
    measured<Layer>("sink_share", "1", "mean attention on position 0 of the trained network",
                    "(1/H) sum over heads of (1/N) sum_i A^(l,h)_i0 at the trained length, over held-out sequences",
                    "H_N/N of uniform causal attention; 1/N without a mask");
inline constexpr Measure<Token> gradient_share = measured<Token>(
    "gradient_share", "1", "how much the last token's loss hangs on the embedding of this one",
    "g_i = |d l_n / d x_i| / sum_j |d l_n / d x_j|, l_n the loss of the last token that "
    "counts, x_i the embedded token; mean over at most 8 held-out sequences; NaN where it hangs on none",
    "1/N");
inline constexpr Scalar first_gradient_share =
    measured<>("first_gradient_share", "1", "gradient share of the first token over the mean one", "N g_0",
               "1; of none, beside it on the same seeds: what the mask makes");
inline constexpr Scalar sink_share_mask{
    .name = "sink_share_mask",
    .sentence = "sink_share of the mask alone: all logits equal",
    .definition = "H_N/N = (1/N) sum_(i=1..N) 1/i under a causal mask, 1/N without one",
    .null_value = "the same",
    .tolerance = relative(1e-12)};
inline constexpr Scalar chance_accuracy{
    .name = "chance_accuracy",
    .sentence = "accuracy of the best constant answer at the trained length or size",
    .definition = "the task's page; NaN where it is not known",
    .null_value = "the same",
    .tolerance = relative(1e-9)};
inline constexpr Scalar best_loss{.name = "best_loss",
                                  .unit = "nat",
                                  .sentence = "loss of the best possible guess at the trained length or size",
                                  .definition = "the task's page; NaN where it is not known",
                                  .null_value = "the same",
                                  .tolerance = relative(1e-9)};
inline constexpr Scalar learned_numbers{.name = "learned_numbers",
                                        .sentence = "numbers that training changes, the scheme's included",
                                        .definition = "entries of all arrays that are not frozen",
                                        .null_value = "none",
                                        .tolerance = exact()};
inline constexpr Scalar scheme_numbers{.name = "scheme_numbers",
                                       .sentence = "numbers of the scheme that training changes",
                                       .definition = "entries of its weights that are not frozen, of all layers",
                                       .null_value = "0",
                                       .tolerance = exact()};
inline constexpr Scalar scheme_untouched{
    .name = "scheme_untouched",
    .sentence = "of these, how many training never changed: rows of positions that it never met",
    .definition = "entries whose bits after training are those before it",
    .null_value = "0",
    .tolerance = exact()};

inline constexpr Scalar chance_loss{
    .name = "chance_loss",
    .unit = "nat",
    .sentence = "loss of the best constant distribution of answers at the trained length or size",
    .definition = "the task's page; NaN where it is not known",
    .null_value = "the same",
    .tolerance = relative(1e-9)};
inline constexpr Scalar best_accuracy{.name = "best_accuracy",
                                      .sentence = "accuracy of the best possible guess at the trained length or size",
                                      .definition = "the task's page; NaN where it is not known",
                                      .null_value = "the same",
                                      .tolerance = relative(1e-9)};
inline constexpr Scalar is_control{
    .name = "is_control",
    .sentence = "whether no layer's scheme does anything: the network tells positions apart by its mask alone",
    .definition = "1 if so, else 0",
    .null_value = "1",
    .tolerance = exact()};

inline constexpr Measure<TriedRate> tried_loss = measured<TriedRate>(
    "tried_loss", "nat", "held-out loss after training at this rate, in the search for the learning rate",
    "mean over search_seeds, on draws that no repeat has; infinite where one diverged; NaN where nothing is searched");
inline constexpr Scalar chosen_rate{
    .name = "chosen_rate",
    .sentence = "learning rate that the network was trained with, at its highest",
    .definition =
        "of learning_rate times each of rate_factors that of the lowest tried_loss; where it is the lowest or "
        "the highest of them, the next by the same ratio is tried, too, once",
    .null_value = "none",
    .tolerance = relative(1e-9)};

inline constexpr Scalar steps_made{
    .name = "steps_made",
    .unit = "steps",
    .sentence = "updates that the network was trained for, without those of the search",
    .definition =
        "steps, or the first at which held_out_loss was at most stop_loss: it is measured every 200th of them",
    .null_value = "none",
    .tolerance = trained_tolerance,
    .float32 = trained_in_float32()};

inline constexpr std::tuple measures{
    training_loss,    held_out_loss,   gradient_norm, rate,        sink_share,    gradient_share,  first_gradient_share,
    sink_share_mask,  chance_accuracy, chance_loss,   best_loss,   best_accuracy, learned_numbers, scheme_numbers,
    scheme_untouched, is_control,      tried_loss,    chosen_rate, steps_made};

}  // namespace of_training

}  // namespace poslab::experiments
