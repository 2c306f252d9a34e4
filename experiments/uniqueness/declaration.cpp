// SPDX-License-Identifier: Apache-2.0
// What uniqueness asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments {

base::ExperimentInfo describe_uniqueness() {
  base::ExperimentInfo info;
  info.id = "uniqueness";
  info.version = "1.0";
  info.title = "Uniqueness";
  info.question = "Does every position have its own code, and how far apart are the codes?";
  info.axes = {length_axis(),
               choice_axis("kind", {"natural", "position", "offset"},
                           "whose codes: those of positions, those of offsets, or those that the scheme works with"),
               choice_axis("offsets", {"causal", "both"},
                           "which offsets: 0 to N - 1 (the query last), or both signs (the query in the middle)"),
               dtype_axis()};
  info.dimensions = {
      {"position", "position", "the row of the signature: a position, or the place of an offset in rising order"}};
  info.measures = {{"min_distance",
                    {},
                    "1",
                    "distance of the two nearest codes",
                    "min over p < q of |phi(p) - phi(q)|",
                    "0",
                    relative(1e-12)},
                   {"closest_first",
                    {},
                    "position",
                    "the first of the two nearest codes",
                    "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: p",
                    "0",
                    exact()},
                   {"closest_second",
                    {},
                    "position",
                    "the second of the two nearest codes",
                    "the smallest pair (p, q), p < q, within 1e-12 relative of min_distance: q",
                    "1",
                    exact()},
                   {"relative_margin",
                    {},
                    "1",
                    "distance of the two nearest codes over the norm of a code",
                    "min_distance / sqrt(mean over p of |phi(p)|^2)",
                    "0",
                    absolute(1e-12)},
                   {"collisions",
                    {},
                    "pairs",
                    "pairs of positions whose codes cannot be told apart",
                    "number of pairs p < q with |phi(p) - phi(q)| <= 1e-9 sqrt(mean |phi|^2)",
                    "N(N-1)/2",
                    exact()},
                   {"distinct",
                    {},
                    "classes",
                    "how many different codes there are",
                    "connected components of the relation that collisions counts",
                    "1",
                    exact()},
                   {"nearest_distance",
                    {"position"},
                    "1",
                    "distance of each code to the nearest other",
                    "min over q != p of |phi(p) - phi(q)|",
                    "0",
                    absolute(1e-12)},
                   {"nearest_position",
                    {"position"},
                    "position",
                    "whose code is nearest to that of each position",
                    "the smallest q != p within 1e-12 relative of nearest_distance",
                    "0 (of position 0: 1)",
                    exact()},
                   {"mirror_distance",
                    {},
                    "1",
                    "how well left is told from right",
                    "min over r > 0 of |phi(r) - phi(-r)|, offsets of both signs",
                    "0",
                    absolute(1e-12)}};
  return info;
}

}  // namespace poslab::experiments
