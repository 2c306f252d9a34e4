// SPDX-License-Identifier: Apache-2.0
// What survival asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::survival {
namespace {

// The same draws give the same streams but for rounding, which a probe of standardised numbers passes on.
constexpr data::Tolerance drawn{.absolute = 1e-9, .statistical = true};
constexpr data::Tolerance drawn_in_float32{.absolute = 1e-3, .statistical = true};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(64),
      Axis{.name = "mask",
           .choices = {"causal", "none"},
           .sentence = "causal: a decoder, whose tokens see those before them; none: an encoder"},
      Axis{.name = "symbols",
           .default_value = std::int64_t{32},
           .range = {.lowest = 1, .highest = 1e6},
           .sentence = "V: tokens are drawn alike and independently from so many"},
      Axis{.name = "feed_forward",
           .default_value = std::int64_t{4},
           .range = {.lowest = 0, .highest = 64},
           .unit = "d_model",
           .sentence = "width of the feed-forward part over that of the model; 0 leaves attention alone"},
      Axis{.name = "sequences",
           .default_value = std::int64_t{180},
           .range = {.lowest = 1, .highest = 1e6},
           .unit = "sequences",
           .sentence = "how many random sequences the probe is fitted on"},
      Axis{.name = "held_out",
           .default_value = std::int64_t{60},
           .range = {.lowest = 1, .highest = 1e6},
           .unit = "sequences",
           .sentence = "how many more it is judged on"},
      Axis{.name = "penalty",
           .default_value = 1.0,
           .range = {.lowest = 0, .highest = 1e12, .above_lowest = true},
           .sentence = "of the ridge regression, on the squared coefficients of standardised channels"},
      dtype_axis(),
      Axis{.name = "depth",
           .default_value = std::vector<double>{0, 1, 2, 3, 4},
           .range = {.lowest = 0, .highest = 1000},
           .unit = "layers",
           .sentence = "after how many layers the residual stream is looked at; 0 is the layers' input"},
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "survival";
  info.version = "1.1";
  info.title = "Survival of positions";
  info.question = "Does the residual stream still tell, layer after layer, where a token stands?";
  info.axes = axes();
  info.draws_contents = true;
  info.default_repeats = 3;
  info.measures = {
      {.name = "r2",
       .dimensions = {"depth"},
       .sentence = "how much of a token's place a linear probe reads off the residual stream, on held-out sequences",
       .definition = "1 - sum (p - q)^2 / sum (p - mean p)^2, q the place that ridge regression on the standardised "
                     "stream gives a token at place p",
       .null_value = "chance_r2 without a mask; under a causal mask what the mask tells",
       .tolerance = drawn,
       .float32 = drawn_in_float32},
      {.name = "mean_absolute_error",
       .dimensions = {"depth"},
       .unit = "position",
       .sentence = "how far the probe is off, on average over held-out tokens",
       .definition = "mean |p - q|",
       .null_value = "chance_error without a mask",
       .tolerance = {.absolute = 1e-8, .statistical = true},
       .float32 = data::Tolerance{.absolute = 0.05, .statistical = true}},
      {.name = "fitted_r2",
       .dimensions = {"depth"},
       .sentence = "r2 on the sequences that the probe was fitted on: what it learnt of chance is in it, too",
       .definition = "as r2, over the tokens of the first `sequences` sequences",
       .null_value = "the channels over the rows it was fitted on, or more where rows hang together",
       .tolerance = drawn,
       .float32 = drawn_in_float32},
      {.name = "chance_r2",
       .sentence =
           "r2 of always saying the middle; a fitted probe that knows nothing is below by its channels over the "
           "rows it was fitted on",
       .definition = "0",
       .null_value = "itself",
       .tolerance = exact()},
      {.name = "chance_error",
       .unit = "position",
       .sentence = "mean_absolute_error of always saying the middle",
       .definition = "T / 4 for an even number T of tokens, (T - 1 / T) / 4 for an odd one",
       .null_value = "itself",
       .tolerance = relative(1e-15)},
  };
  return info;
}

}  // namespace poslab::experiments::survival
