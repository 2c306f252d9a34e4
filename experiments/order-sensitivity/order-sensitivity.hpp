// SPDX-License-Identifier: Apache-2.0
// Does attention see the order of its input? Definitions: order-sensitivity.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::order_sensitivity {

using base::Index;

struct Distance {
  static constexpr InnerAxis dimension{"distance"};
};

/// What is 0 in exact arithmetic is rounding; the rest depends on the contents.
template <class D>
constexpr Measure<D> change(const char* name, const char* sentence, const char* definition, const char* null_value) {
  return {.name = name,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-4, .statistical = true}};
}

struct OrderSensitivity final : Definition {
  static constexpr About about{
      .id = "order-sensitivity",
      .version = "1.1",
      .title = "Order sensitivity",
      .question = "\"Tom bit a dog\", \"a dog bit Tom\": does attention see that these are two sentences?",
      .draws_contents = true};

  Index length, shuffles, short_length, shift;
  AttentionMask mask;
  Dtype dtype;
  std::vector<double> depth, distance;
  static Axes<OrderSensitivity> axes();

  static constexpr const char* blind = "0 without a mask, and in the first layer under a causal one";
  static constexpr Measure<Depth> prefix_change = change<Depth>(
      "prefix_change", "how much the last token's output changes when those before it are shuffled",
      "root mean square over shuffles of |y' - y| / |y - x|, y the last token's output, x its input", blind);
  static constexpr Measure<Distance> swap_change = change<Distance>(
      "swap_change", "the same when two tokens at this distance change places, neither the last, at the greatest depth",
      "root mean square over pairs of |y' - y| / |y - x|", blind);
  static constexpr Measure<Depth>
      equivariance_error = change<Depth>(
          "equivariance_error", "without a mask: how far shuffling the input is from shuffling the output, at worst",
          "max over shuffles P of |f(P x) - P f(x)| / |f(x) - x|, Frobenius norms", "0"),
      shift_change =
          change<Depth>("shift_change", "how much the last token's output changes when all positions are moved alike",
                        "|y' - y| / |y - x|, y' with `shift` added to every position", "0"),
      orders_told_apart{
          .name = "orders_told_apart",
          .unit = "orders",
          .sentence = "into how many kinds the last token's output sorts the orders of a short input's other tokens",
          .definition = "classes of the (n - 1)! outputs; equal: |y' - y| <= 1e-9 |y - x| (float32: 1e-4)",
          .null_value = "1 without a mask, and in the first layer under a causal one",
          .tolerance = exact()},
      least_change = change<Depth>("least_change",
                                   "how far apart the outputs of the two orders are that are hardest to tell apart",
                                   "min over pairs of orders of |y' - y| / |y - x|", blind);
  static constexpr std::tuple measures{prefix_change, swap_change,       equivariance_error,
                                       shift_change,  orders_told_apart, least_change};

  Index model_train_length() const override { return length; }
  Index scheme_layers() const override;
  bool takes_mixed() const override { return true; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;

  bool is_causal() const { return mask == AttentionMask::causal; }
  /// Whether the schemes serve all positions after the shift.
  bool can_shift(const host::LayerSchemes& schemes, const data::Placement& placement) const;
};

}  // namespace poslab::experiments::order_sensitivity
