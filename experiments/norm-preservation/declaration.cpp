// SPDX-License-Identifier: Apache-2.0
// What norm-preservation asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::norm_preservation {

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "norm-preservation";
  info.version = "2.0";
  info.title = "Norm preservation";
  info.question = "What happens to the vector: does it keep its length, its angles to others, its direction?";
  info.axes = {
      length_axis(),
      Axis{
          .name = "embedding_std",
          .default_value = 1.0,
          .range = {.lowest = 0, .above_lowest = true},
          .sentence = "standard deviation of the entries of a content vector (an embedding), independent and normal",
      },
      contents_axis(),
      dtype_axis(),
  };
  info.dimensions = {{.name = "position", .unit = "position", .sentence = "p", .within = {"length"}}};
  info.draws_contents = true;
  info.measures = {
      {
          .name = "ratio_mean",
          .dimensions = {"position"},
          .sentence = "length of the vector after over before, on average",
          .definition =
              "mean over contents (transform: also heads and sides) of norm(x') / norm(x), x' = x + e(p) or T_p x",
          .null_value = "1",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "ratio_min",
          .dimensions = {"position"},
          .sentence = "length of the vector after over before, at least",
          .definition = "min of norm(x') / norm(x)",
          .null_value = "1",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "ratio_max",
          .dimensions = {"position"},
          .sentence = "length of the vector after over before, at most",
          .definition = "max of norm(x') / norm(x)",
          .null_value = "1",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "ratio_queries",
          .dimensions = {"position"},
          .sentence = "length of the vector after over before, on average over queries; of schemes that transform",
          .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of queries",
          .null_value = "1",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "ratio_keys",
          .dimensions = {"position"},
          .sentence = "length of the vector after over before, on average over keys; of schemes that transform",
          .definition = "mean over contents and heads of norm(T_p x) / norm(x), T_p that of keys",
          .null_value = "1",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "isometry_error",
          .sentence = "how much inner products change, at worst",
          .definition =
              "max |<x', y'> - <x, y>| / (norm(x) norm(y)), x and y at the same position and on the same side",
          .null_value = "0",
          .tolerance = absolute(1e-14),
          .float32 = absolute(1e-6),
      },
      {
          .name = "angle",
          .dimensions = {"position"},
          .unit = "rad",
          .sentence = "how far the added code rotates the embedding",
          .definition = "mean over contents of the angle between x and x + e(p)",
          .null_value = "0",
          .tolerance = absolute(1e-12),
          .float32 = absolute(1e-6),
      },
      {
          .name = "position_share",
          .dimensions = {"position"},
          .sentence = "share of the code in the expected squared norm of the sum",
          .definition = "|e(p)|^2 / (|e(p)|^2 + D embedding_std^2)",
          .null_value = "0",
          .tolerance = absolute(1e-12),
          .float32 = absolute(1e-6),
      },
      {
          .name = "max_abs",
          .sentence = "largest absolute entry of any code",
          .definition = "max over p and channels of |e(p)|",
          .null_value = "0",
          .tolerance = exact(),
      },
  };
  return info;
}

}  // namespace poslab::experiments::norm_preservation
