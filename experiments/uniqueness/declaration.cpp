// SPDX-License-Identifier: Apache-2.0
// What uniqueness asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments {

data::ExperimentInfo describe_uniqueness() {
  data::ExperimentInfo info;
  info.id = "uniqueness";
  info.version = "1.0";
  info.title = "Uniqueness";
  info.question = "Does every position have its own code, and how far apart are the codes?";
  info.axes = {
      length_axis(),
      Axis{
          .name = "kind",
          .choices = {"natural", "position", "offset"},
          .sentence = "whose codes: those of positions, those of offsets, or those that the scheme works with",
      },
      Axis{
          .name = "offsets",
          .choices = {"causal", "both"},
          .sentence = "which offsets: 0 to N - 1 (the query last), or both signs (the query in the middle)",
      },
      dtype_axis(),
  };
  info.dimensions = {{.name = "position",
                      .unit = "position",
                      .sentence = "the row of the signature: a position, or the place of an offset in rising order",
                      .within = {"length"},
                      .times = 2}};
  info.measures = {
      {
          .name = "min_distance",
          .sentence = "distance of the two nearest codes",
          .definition = "min over p < q of |phi(p) - phi(q)|",
          .null_value = "0",
          .tolerance = relative(1e-12),
      },
      {
          .name = "closest_first",
          .unit = "position",
          .sentence = "the first of the two nearest codes",
          .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: p",
          .null_value = "0",
          .tolerance = exact(),
      },
      {
          .name = "closest_second",
          .unit = "position",
          .sentence = "the second of the two nearest codes",
          .definition = "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: q",
          .null_value = "1",
          .tolerance = exact(),
      },
      {
          .name = "relative_margin",
          .sentence = "distance of the two nearest codes over the norm of a code",
          .definition = "min_distance / sqrt(mean over p of |phi(p)|^2)",
          .null_value = "0",
          .tolerance = absolute(1e-12),
      },
      {
          .name = "collisions",
          .unit = "pairs",
          .sentence = "pairs of positions whose codes cannot be told apart",
          .definition = "number of pairs p < q with |phi(p) - phi(q)| <= 1e-9 sqrt(mean |phi|^2)",
          .null_value = "N(N-1)/2",
          .tolerance = exact(),
      },
      {
          .name = "distinct",
          .unit = "classes",
          .sentence = "how many different codes there are",
          .definition = "connected components of the relation that collisions counts",
          .null_value = "1",
          .tolerance = exact(),
      },
      {
          .name = "nearest_distance",
          .dimensions = {"position"},
          .sentence = "distance of each code to the nearest other",
          .definition = "min over q != p of |phi(p) - phi(q)|",
          .null_value = "0",
          .tolerance = absolute(1e-12),
      },
      {
          .name = "nearest_position",
          .dimensions = {"position"},
          .unit = "position",
          .sentence = "whose code is nearest to that of each position",
          .definition = "the smallest q != p within 1e-12 relative of nearest_distance",
          .null_value = "0 (of position 0: 1)",
          .tolerance = exact(),
      },
      {
          .name = "mirror_distance",
          .sentence = "how well left is told from right",
          .definition = "min over r > 0 of |phi(r) - phi(-r)|, offsets of both signs",
          .null_value = "0",
          .tolerance = absolute(1e-12),
      },
  };
  return info;
}

}  // namespace poslab::experiments
