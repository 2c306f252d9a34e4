// SPDX-License-Identifier: Apache-2.0
// What order-sensitivity asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::order_sensitivity {
namespace {

// What is 0 in exact arithmetic is rounding; the rest hangs on the contents.
constexpr data::Tolerance drawn{.absolute = 1e-12, .statistical = true};
constexpr data::Tolerance drawn_in_float32{.absolute = 1e-4, .statistical = true};

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(24),
      Axis{.name = "mask",
           .choices = {"causal", "none"},
           .sentence = "causal: a decoder, whose tokens see those before them; none: an encoder"},
      Axis{.name = "shuffles",
           .default_value = std::int64_t{16},
           .range = {.lowest = 1, .highest = 1e5},
           .sentence = "how many random orders are drawn, and how many pairs are swapped at each distance at most"},
      Axis{.name = "short_length",
           .default_value = std::int64_t{5},
           .range = {.lowest = 3, .highest = 7},
           .unit = "position",
           .sentence = "n: tokens of the short input, of which all but the last are put into every order"},
      Axis{.name = "shift",
           .default_value = std::int64_t{57},
           .range = {.lowest = 0, .highest = 1e9},
           .unit = "position",
           .sentence = "what is added to every position for shift_change"},
      dtype_axis(),
      Axis{.name = "depth",
           .default_value = std::vector<double>{1, 2, 3},
           .range = {.lowest = 1, .highest = 1000},
           .unit = "layers",
           .sentence = "t: how many attention layers stand on each other"},
      Axis{.name = "distance",
           .default_value = std::vector<double>{1, 2, 4, 8},
           .range = {.lowest = 1, .highest = 1e9},
           .unit = "position",
           .sentence = "r: how far apart two tokens are that are swapped"},
  };
}

data::MeasureInfo change(const char* name, const char* dimension, const char* sentence, const char* definition,
                         const char* null_value) {
  return {.name = name,
          .dimensions = {dimension},
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = drawn,
          .float32 = drawn_in_float32};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "order-sensitivity";
  info.version = "1.1";
  info.title = "Order sensitivity";
  info.question = "\"Tom bit a dog\", \"a dog bit Tom\": does attention see that these are two sentences?";
  info.axes = axes();
  info.draws_contents = true;
  const char* const blind = "0 without a mask, and in the first layer under a causal one";
  info.measures = {
      change("prefix_change", "depth", "how much the last token's output changes when those before it are shuffled",
             "root mean square over shuffles of |y' - y| / |y - x|, y the last token's output, x its input", blind),
      change("swap_change", "distance",
             "the same when two tokens at this distance change places, neither the last, at the greatest depth",
             "root mean square over pairs of |y' - y| / |y - x|", blind),
      change("equivariance_error", "depth",
             "without a mask: how far shuffling the input is from shuffling the output, at worst",
             "max over shuffles P of |f(P x) - P f(x)| / |f(x) - x|, Frobenius norms", "0"),
      change("shift_change", "depth", "how much the last token's output changes when all positions are moved alike",
             "|y' - y| / |y - x|, y' with `shift` added to every position", "0"),
      {.name = "orders_told_apart",
       .dimensions = {"depth"},
       .unit = "orders",
       .sentence = "into how many kinds the last token's output sorts the orders of a short input's other tokens",
       .definition = "classes of the (n - 1)! outputs; equal: |y' - y| <= 1e-9 |y - x| (float32: 1e-4)",
       .null_value = "1 without a mask, and in the first layer under a causal one",
       .tolerance = exact()},
      change("least_change", "depth", "how far apart the outputs of the two orders are that are hardest to tell apart",
             "min over pairs of orders of |y' - y| / |y - x|", blind),
  };
  return info;
}

}  // namespace poslab::experiments::order_sensitivity
