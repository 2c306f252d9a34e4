// SPDX-License-Identifier: Apache-2.0
// What relative-shift asks and measures, as data.
#include "poslab/experiments/declare.hpp"

namespace poslab::experiments {

base::ExperimentInfo describe_relative_shift() {
  const base::Tolerance rounding{1e-13, 0, 4e-16, 0, false}, of_length{0, 0, 0, 1e-12, false};
  base::ExperimentInfo info;
  info.id = "relative-shift";
  info.version = "1.0";
  info.title = "Relative shift";
  info.question = "Do attention scores depend on positions through m - n only?";
  info.axes = {length_axis(), contents_axis(), dtype_axis(),
               inner_axis("shift", {1, 10, 100, 1000, 10000}, 0, "position",
                          "how far all positions are moved together; the length that the scheme is told stays N"),
               inner_axis("step", {1, 16, 256}, 1, "position", "k: from which code to which the linear map leads")};
  info.draws_contents = true;
  info.dimensions = {{"offset", "position", "m - n, query position minus key position"}};
  info.measures = {{"content_error",
                    {"shift"},
                    "1",
                    "largest change of a logit when all positions move by the shift, over the rms logit",
                    "max |s(x, y; m + shift, n + shift) - s(x, y; m, n)| / rms s, over contents, heads and 64 x 64 "
                    "positions m, n from 0",
                    "0",
                    rounding},
                   {"content_error_rms",
                    {"shift"},
                    "1",
                    "root-mean-square change of a logit when all positions move by the shift, over the rms logit",
                    "rms (s(x, y; m + shift, n + shift) - s(x, y; m, n)) / rms s",
                    "0",
                    rounding},
                   {"position_spread",
                    {"offset"},
                    "1",
                    "how much the position score varies among pairs of one offset",
                    "max over heads of (max - min of P_h(m, n) along m - n = offset), all pairs",
                    "0",
                    of_length},
                   {"toeplitz_residual",
                    {},
                    "1",
                    "how much the position score varies among pairs of one offset, at worst",
                    "max over offsets of position_spread",
                    "0",
                    of_length},
                   {"toeplitz_residual_relative",
                    {},
                    "1",
                    "toeplitz_residual over the rms position score",
                    "toeplitz_residual / sqrt(mean over h, m, n of P_h(m, n)^2)",
                    "0",
                    of_length},
                   {"share_content",
                    {},
                    "1",
                    "share of the content in the variance of an additive scheme's logits",
                    "var <x, y> / (var <x, y> + var (<x, p> + <p, y>) + var <p, p>)",
                    "1",
                    statistical()},
                   {"share_cross",
                    {},
                    "1",
                    "share of content against position in the variance of an additive scheme's logits",
                    "var (<x, p> + <p, y>) / (sum of the three variances)",
                    "0",
                    statistical()},
                   {"share_position",
                    {},
                    "1",
                    "share of position against position in the variance of an additive scheme's logits",
                    "var <p, p> / (sum of the three variances)",
                    "0",
                    statistical()},
                   {"linear_map_residual",
                    {"step"},
                    "1",
                    "what the best linear map from each code to the one k further leaves over",
                    "norm(phi(p + k) - M_k phi(p)) / norm(phi(p + k)) over odd p, M_k the minimum-norm least squares "
                    "of even p, rcond 1e-12",
                    "skipped",
                    absolute(1e-10)},
                   {"composition_error",
                    {},
                    "1",
                    "how far turning by n and back by m is from turning by n - m",
                    "max norm(T_m^T T_n x - T_(n-m) x) / norm(x) over contents, heads and 32 x 32 positions m <= n",
                    "0",
                    rounding}};
  return info;
}

}  // namespace poslab::experiments
