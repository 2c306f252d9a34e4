// SPDX-License-Identifier: Apache-2.0
// What u-shape asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments::u_shape {
namespace {

// Sums of positive numbers, one of N terms for each layer.
constexpr data::Tolerance sums{.absolute = 1e-15, .relative = 1e-12};

data::MeasureInfo by_depth(const char* name, const char* sentence, const char* definition, const char* null_value) {
  return {.name = name,
          .dimensions = {"depth"},
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = sums};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "u-shape";
  info.version = "1.1";
  info.title = "U shape";
  info.question = "Which positions influence the last token before anything is learned: both ends and not the middle?";
  info.axes = {
      length_axis(1024),
      Axis{.name = "mixing",
           .default_value = 0.5,
           .range = {.lowest = 0, .highest = 1},
           .sentence =
               "a: the part of a layer's output that comes through attention; the rest passes by the residual path"},
      Axis{.name = "depth",
           .default_value = std::vector<double>{1, 2, 4, 8},
           .range = {.lowest = 1, .highest = 1e4},
           .unit = "layers",
           .sentence = "t: how many layers stand on each other"},
  };
  info.dimensions = {
      {.name = "position", .unit = "position", .sentence = "index in the sequence, from 0", .within = {"length"}}};
  info.measures = {
      {.name = "context",
       .dimensions = {"depth", "position"},
       .sentence = "share of each position in the context of the last token, without contents",
       .definition =
           "last row of B^(t) ... B^(1), B = (1 - a) I + a A, A the attention of queries and keys that are 0, "
           "averaged over heads",
       .null_value = "last row of ((1 - a) I + a C)^t, C the causal mean",
       .tolerance = sums},
      by_depth("first", "share of the first position", "context at position 0", "that of the causal mean"),
      by_depth("last", "share of the last position itself", "context at position N - 1", "(1 - a + a / N)^t"),
      by_depth("middle", "share of the position in the middle, over an even one",
               "N times context at position floor(N / 2)", "that of the causal mean, near middle_limit"),
      by_depth("middle_limit", "what middle becomes as the length grows, of the mask alone",
               "sum_(k=1..t) binomial(t, k) (1 - a)^(t-k) a^k (log 2)^(k-1) / (k-1)!", "the same for every scheme"),
      {.name = "mean_distance",
       .dimensions = {"depth"},
       .unit = "token",
       .sentence = "how far back the context of the last token lies on average",
       .definition = "sum over positions j of context_j (N - 1 - j)",
       .null_value = "(N - 1) (1 - (1 - a / 2)^t)",
       .tolerance = {.absolute = 1e-15, .relative = 1e-12}},
  };
  return info;
}

}  // namespace poslab::experiments::u_shape
