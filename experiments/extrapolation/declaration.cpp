// SPDX-License-Identifier: Apache-2.0
// What extrapolation asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments::extrapolation {

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "extrapolation";
  info.version = "1.0";
  info.title = "Extrapolation";
  info.question = "What does the scheme do beyond the length that it was trained at?";
  info.axes = {
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
  info.dimensions = {{.name = "position",
                      .unit = "position",
                      .sentence = "p: a position, or for schemes that code offsets, query minus key",
                      .within = {"train_length", "multiple"}}};
  info.draws_contents = true;
  info.measures = {
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
          .name = "novelty",
          .dimensions = {"position"},
          .sentence = "how far the position's code is from all that training showed",
          .definition = "min over trained q < L of |phi(p) - phi(q)|, over the rms of |phi(q + 1) - phi(q)| in "
                        "training; 0 where the distance is 0",
          .null_value = "0",
          .tolerance = relative(1e-12),
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
          .sentence = "share of the turning planes whose circle training never completes",
          .definition = "unseen planes over planes with theta > 0",
          .null_value = "0",
          .tolerance = exact(),
      },
      {
          .name = "logit_drift",
          .dimensions = {"position"},
          .sentence = "how far the logits of a query here have moved from those of training",
          .definition = "(mean over keys n <= p and heads of s(x, y; p, n) - mean within L) / sd within L, one random "
                        "content a repeat",
          .null_value = "0",
          .tolerance = statistical(),
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
      },
  };
  return info;
}

}  // namespace poslab::experiments::extrapolation
