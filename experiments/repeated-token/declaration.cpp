// SPDX-License-Identifier: Apache-2.0
// What repeated-token asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::repeated_token {
namespace {

// Of numbers of the order of 1, some hundred of which are added up.
constexpr data::Tolerance rounding{.absolute = 1e-12, .statistical = true};
// A code may be large.
constexpr data::Tolerance of_codes{.absolute = 1e-12, .relative = 1e-12, .statistical = true};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(64),
      Axis{.name = "feed_forward",
           .default_value = std::int64_t{4},
           .range = {.lowest = 0, .highest = 64},
           .unit = "d_model",
           .sentence = "width of the feed-forward part over that of the model; 0 leaves attention alone"},
      Axis{.name = "depth",
           .default_value = std::vector<double>{1, 2, 3},
           .range = {.lowest = 1, .highest = 1000},
           .unit = "layers",
           .sentence = "t: how many layers stand on each other"},
  };
}

data::MeasureInfo at_depth(const char* name, const char* sentence, const char* definition, const char* null_value) {
  return {.name = name,
          .dimensions = {"depth"},
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = rounding};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "repeated-token";
  info.version = "1.1";
  info.title = "A repeated token";
  info.question = "All tokens are the same: what is left of attention, and can the layers still count?";
  info.axes = axes();
  info.draws_contents = true;
  info.default_repeats = 3;
  info.dimensions = {
      {.name = "position", .unit = "position", .sentence = "place in the sequence, from 0", .within = {"length"}},
      {.name = "head", .unit = "1", .sentence = "head of attention, from 0", .within = {"heads"}}};
  info.measures = {
      at_depth("even_deviation", "how far the attention of this layer is from an even one, at worst",
               "max over heads, i and j <= i of |A_ij - 1 / (i + 1)|", "0"),
      at_depth("bias_deviation", "how far it is from what the scheme does without any content, at worst",
               "max |A_ij - a_ij|, a the attention of queries and keys that are 0", "0"),
      at_depth("state_deviation", "how far the outputs of the places are apart after this many layers",
               "max over i of |x_i - x_0| over the root mean square of |x_i|", "0"),
      {.name = "last_attention",
       .dimensions = {"head", "position"},
       .sentence = "attention of the last token in the deepest layer",
       .definition = "A_(N - 1, j)",
       .null_value = "1 / N",
       .tolerance = rounding},
      {.name = "query_key_gradient",
       .sentence = "what training could change of the query and key projections, over what it could of the values'",
       .definition = "|gradient of the loss by all W_q and W_k| / |that by all W_v|, in a network with random targets",
       .null_value = "0",
       .tolerance = rounding},
      {.name = "count_error",
       .sentence = "how far one layer with Kazemnejad's weights is from counting its tokens, at worst",
       .definition = "theorem 1, codes added: max over heads and t = 1 .. N of |x_3 - 1 / t|",
       .null_value = "0",
       .tolerance = of_codes},
      {.name = "distance_error",
       .sentence = "how far logits with Kazemnejad's weights are from a content less the distance, at worst",
       .definition = "theorem 2, codes added: max over heads and i <= t of |logit(t, i) - (content - (t - i))| / N",
       .null_value = "0",
       .tolerance = of_codes},
  };
  return info;
}

}  // namespace poslab::experiments::repeated_token
