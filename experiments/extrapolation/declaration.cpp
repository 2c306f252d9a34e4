// SPDX-License-Identifier: Apache-2.0
// What extrapolation asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments::extrapolation {

base::ExperimentInfo describe() {
  base::ExperimentInfo info;
  info.id = "extrapolation";
  info.version = "1.0";
  info.title = "Extrapolation";
  info.question = "What does the scheme do beyond the length that it was trained at?";
  base::AxisInfo multiple =
      inner_axis("multiple", {1, 2, 4, 8}, 1, "1",
                 "context lengths over L; a position is measured in the shortest of these contexts that holds it");
  multiple.range.highest = 1e6;
  info.axes = {
      integer_axis("train_length", 512, 1, "position", "L: the length that training shows, positions 0 to L - 1"),
      integer_axis("points", 32, 1, "position",
                   "about how many positions are measured in each trained length; from L on, every one"),
      dtype_axis(), multiple};
  info.dimensions = {{"position", "position", "p: a position, or for schemes that code offsets, query minus key"}};
  info.draws_contents = true;
  info.measures = {
      {"defined", {"position"}, "flag", "whether the scheme serves the position", "1 if it does, else 0", "1", exact()},
      {"novelty",
       {"position"},
       "1",
       "how far the position's code is from all that training showed",
       "min over trained q < L of |phi(p) - phi(q)|, over the rms of |phi(q + 1) - phi(q)| in training; 0 where the "
       "distance is 0",
       "0",
       relative(1e-12)},
      {"unseen_planes",
       {},
       "planes",
       "planes of a head, or of the encoding, whose circle training never completes",
       "number of planes with 0 < theta L < 2 pi",
       "0",
       exact()},
      {"unseen_phase",
       {},
       "1",
       "share of the turning planes whose circle training never completes",
       "unseen planes over planes with theta > 0",
       "0",
       exact()},
      {"logit_drift",
       {"position"},
       "1",
       "how far the logits of a query here have moved from those of training",
       "(mean over keys n <= p and heads of s(x, y; p, n) - mean within L) / sd within L, one random content a repeat",
       "0",
       statistical()},
      {"effective_window",
       {"position"},
       "keys",
       "how few keys hold 0.9 of a query's attention",
       "mean over heads of the smallest number of keys n <= p whose attention sums to 0.9, one random content a repeat",
       "that of none",
       absolute(1e-9)}};
  return info;
}

}  // namespace poslab::experiments::extrapolation
