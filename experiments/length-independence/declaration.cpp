// SPDX-License-Identifier: Apache-2.0
// What length-independence asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::length_independence {
namespace {

// A code that depends on the length is made twice, from numbers of its own size.
constexpr data::Tolerance rounding{.absolute = 1e-12}, float32_rounding{.absolute = 1e-5};

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "length-independence";
  info.version = "2.0";
  info.title = "Length independence";
  info.question = "Does a position, or an offset, have the same code whatever the length of its sequence?";
  info.axes = {
      length_axis(),
      dtype_axis(),
      Axis{
          .name = "multiple",
          .default_value = std::vector<double>{0.5, 2, 4, 8},
          .range = {.lowest = 0, .highest = 1e6, .above_lowest = true},
          .sentence = "lengths of the other contexts over N, which is the trained length, too",
      },
  };
  info.dimensions = {
      {.name = "position", .unit = "position", .sentence = "p, or an offset r", .within = {"length"}},
      {.name = "odd_length",
       .unit = "token",
       .sentence = "T of contexts beside the multiples: N - 1, N + 1, the first prime above 3 N / 2, 2 N + 1, as far "
                   "as they are served"},
  };
  info.measures = {
      {
          .name = "norm",
          .sentence = "size of the codes in the context of N tokens",
          .definition = "rms over p < N of |phi_N(p)|; of offsets less the mean over p, in what meets no key",
          .null_value = "0",
          .tolerance = relative(1e-12),
          .float32 = relative(1e-5),
      },
      {
          .name = "change",
          .dimensions = {"multiple"},
          .sentence = "how far codes move in another context, on average, over their size",
          .definition = "rms over p < min(N, T) of |phi_T(p) - phi_N(p)|, T = multiple N rounded down, over `norm`; of "
                        "offsets less the mean of the difference over p, which softmax cancels, in what meets no key",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
      },
      {
          .name = "largest_change",
          .dimensions = {"multiple"},
          .sentence = "the same of the position that moves farthest",
          .definition = "max over p < min(N, T) of |phi_T(p) - phi_N(p)|, as in `change`, over `norm`",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
      },
      {
          .name = "odd_change",
          .dimensions = {"odd_length"},
          .sentence = "how far codes move in contexts whose length is no round multiple, on average, over their size",
          .definition = "as `change`, T = odd_length",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
      },
      {
          .name = "largest_odd_change",
          .dimensions = {"odd_length"},
          .sentence = "the same of the position that moves farthest",
          .definition = "as `largest_change`, T = odd_length",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
      },
      {
          .name = "same_place_change",
          .dimensions = {"multiple"},
          .sentence = "how far codes of offsets move where the query stays at its place and tokens come after it",
          .definition = "as largest_change, T >= N, but phi_T(r) with the query at position N - 1, not at T - 1",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
      },
      {
          .name = "moved",
          .dimensions = {"multiple", "position"},
          .sentence = "how far the code of a position moves in another context",
          .definition = "|phi_T(p) - phi_N(p)|, as in `change`",
          .null_value = "0",
          .tolerance = rounding,
          .float32 = float32_rounding,
          .tolerance_unit = "norm",
      },
  };
  return info;
}

}  // namespace poslab::experiments::length_independence
