// SPDX-License-Identifier: Apache-2.0
// What extrapolation asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::extrapolation {
namespace {

// A float32 code is rounded by 6e-8 of its size, and the unit of novelty, a step of training, may be as small as 1/L of
// that size: 6e-8 L, and a factor for the sum over a code's numbers. Means of logits are rounded by 6e-8 of the
// largest.
constexpr data::Tolerance rounded_codes{.absolute = 1e-5, .relative = 1e-5, .per_length = 1e-6};
constexpr data::Tolerance rounded_means{.absolute = 1e-4, .relative = 1e-4};

std::vector<data::AxisInfo> axes() {
  return {
      Axis{
          .name = "train_length",
          .default_value = std::int64_t{512},
          .range = from_one,
          .unit = "position",
          .sentence = "L: the length that training shows, positions 0 to L - 1",
      },
      Axis{
          .name = "points",
          .default_value = std::int64_t{32},
          .range = from_one,
          .unit = "position",
          .sentence = "about how many positions are measured in each trained length; from L on, every one",
      },
      dtype_axis(),
      Axis{
          .name = "multiple",
          .default_value = std::vector<double>{1, 2, 4, 8},
          .range = {.lowest = 1, .highest = 1e6},
          .sentence = "context lengths over L; a position is measured in the shortest of these contexts that holds it",
      },
  };
}

std::vector<data::MeasureInfo> code_measures() {
  return {
      {
          .name = "defined",
          .dimensions = {"position"},
          .unit = "flag",
          .sentence = "whether the scheme serves the position",
          .definition = "1 if it does, else 0",
          .null_value = "1",
          .tolerance = exact(),
      },
      {
          .name = "untrained",
          .dimensions = {"position"},
          .sentence = "share of the position's code that weights hold which training never moves, as rows of a table "
                      "for positions that training never shows",
          .definition = "largest, over arrays of weights, of u / (u + t): |phi'(p) - phi(p)|^2 where in phi' the "
                        "entries of the array are drawn anew by which no trained phi(q), q < L, has a derivative (u), "
                        "or all others (t); 0 where neither changes phi(p), or u changes a trained phi(q)",
          .null_value = "0",
          .tolerance = relative(1e-9),
      },
      {
          .name = "novelty",
          .dimensions = {"position"},
          .sentence = "how far the position's code is from all that training showed",
          .definition = "min over trained q < L of |phi(p) - phi(q)|, over the rms of |phi(q + 1) - phi(q)| in "
                        "training; 0 where the distance is 0; of offsets phi of each context less what context_change "
                        "takes off",
          .null_value = "0",
          .tolerance = relative(1e-12),
          .float32 = rounded_codes,
      },
      {
          .name = "context_change",
          .dimensions = {"multiple"},
          .sentence = "how far the codes that training showed move in a longer context",
          .definition =
              "rms over p < L of |phi(p) in the context of multiple L - phi(p) in that of L|, over the rms of "
              "|phi(q + 1) - phi(q)| in training; 0 where the distance is 0; of offsets less the mean over p of the "
              "difference, which softmax cancels, in what meets no key",
          .null_value = "0",
          .tolerance = relative(1e-12),
          .float32 = rounded_codes,
      },
      {
          .name = "unseen_planes",
          .unit = "planes",
          .sentence = "planes of a head, or of the encoding, whose circle training never completes",
          .definition = "number of planes with 0 < theta L < 2 pi",
          .null_value = "0",
          .tolerance = exact(),
      },
      {
          .name = "unseen_phase",
          .sentence = "share of the rotating planes whose circle training never completes",
          .definition = "unseen planes over planes with theta > 0",
          .null_value = "0",
          .tolerance = exact(),
      },
  };
}

std::vector<data::MeasureInfo> attention_measures() {
  const std::string drift =
      "(mean over keys n <= p and heads of s(x, y; p, n) - mean within L) / sd within L, one "
      "random content a repeat";
  return {
      {
          .name = "logit_drift",
          .dimensions = {"position"},
          .unit = "sd",
          .sentence = "how far the logits of a query of random contents here have moved from those of training",
          .definition = drift,
          .null_value = "0 on average",
          .tolerance = statistical(),
      },
      {
          .name = "logit_drift_none",
          .dimensions = {"position"},
          .unit = "sd",
          .sentence = "logit_drift of attention without positions on the same contents",
          .definition = "logit_drift of the scheme none",
          .null_value = "0 on average",
          .tolerance = statistical(),
      },
      {
          .name = "logit_drift_excess",
          .dimensions = {"position"},
          .unit = "sd",
          .sentence = "what the scheme adds to the drift of the logits, on the same contents",
          .definition = "logit_drift - logit_drift_none",
          .null_value = "0",
          .tolerance = statistical(),
      },
      {
          .name = "equal_drift",
          .dimensions = {"position"},
          .unit = "sd",
          .sentence = "how far the logits between equal tokens, less that of a query for its own key, have moved here "
                      "from those of training",
          .definition = "(mean over keys n <= p and heads of s(x, x; p, n) - s(x, x; p, p) - mean within L of that) / "
                        "sd within L of s(x, y; m, n) less its mean over n, one random content x of all tokens a "
                        "repeat; y as in logit_drift",
          .null_value = "0",
          .tolerance = {.absolute = 1e-9, .relative = 1e-9},
          .float32 = rounded_means,
      },
      {
          .name = "effective_window",
          .dimensions = {"position"},
          .unit = "keys",
          .sentence = "how few keys hold 0.9 of a query's attention",
          .definition = "mean over heads of the smallest number of keys n <= p whose attention sums to 0.9, one random "
                        "content a repeat",
          .null_value = "that of none",
          .tolerance = absolute(1e-9),
          .float32 = data::Tolerance{.absolute = 1, .relative = 1e-4},  // a key more or less where a sum is near 0.9
      },
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "extrapolation";
  info.version = "3.0";
  info.title = "Extrapolation";
  info.question = "What does the scheme do beyond the length that it was trained at?";
  info.axes = axes();
  info.dimensions = {{.name = "position",
                      .unit = "position",
                      .sentence = "p: a position, or for schemes that code offsets, query minus key",
                      .within = {"train_length", "multiple"}}};
  info.draws_contents = true;
  for (const auto& group : {code_measures(), attention_measures()})
    info.measures.insert(info.measures.end(), group.begin(), group.end());
  return info;
}

}  // namespace poslab::experiments::extrapolation
