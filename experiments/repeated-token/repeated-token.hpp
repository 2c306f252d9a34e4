// SPDX-License-Identifier: Apache-2.0
// All tokens are the same: what is left of attention? Definitions: repeated-token.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::repeated_token {

using base::Index;

// For numbers of the order of 1, some hundred of which are added up.
constexpr data::Tolerance rounding{.absolute = 1e-12, .statistical = true};
// A code may be large.
constexpr data::Tolerance of_codes{.absolute = 1e-12, .relative = 1e-12, .statistical = true};

struct RepeatedToken final : Definition {
  static constexpr About about{
      .id = "repeated-token",
      .version = "1.2",
      .title = "A repeated token",
      .question = "All tokens are the same: what is left of attention, and can the layers still count?",
      .draws_contents = true,
      .default_repeats = 3};

  Index length, feed_forward;
  std::vector<double> depth;
  static Axes<RepeatedToken> axes();

  static constexpr Measure<Depth> even_deviation{
      .name = "even_deviation",
      .sentence = "how far the attention of this layer is from an even one, at worst",
      .definition = "max over heads, i and j <= i of |A_ij - 1 / (i + 1)|",
      .null_value = "0",
      .tolerance = rounding},
      bias_deviation{.name = "bias_deviation",
                     .sentence = "how far it is from what the scheme does without any content, at worst",
                     .definition = "max |A_ij - a_ij|, a the attention of queries and keys that are 0",
                     .null_value = "0",
                     .tolerance = rounding},
      state_deviation{.name = "state_deviation",
                      .sentence = "how far the outputs of the places are apart after this many layers",
                      .definition = "max over i of |x_i - x_0| over the root mean square of |x_i|",
                      .null_value = "0",
                      .tolerance = rounding};
  static constexpr Measure<Head, Place> last_attention{.name = "last_attention",
                                                       .sentence = "attention of the last token in the deepest layer",
                                                       .definition = "A_(N - 1, j)",
                                                       .null_value = "1 / N",
                                                       .tolerance = rounding};
  static constexpr Scalar query_key_gradient{
      .name = "query_key_gradient",
      .sentence = "what training could change of the query and key projections, over what it could of the values'",
      .definition =
          "|gradient of the loss by all W_q and W_k| / |that by all W_v|, in a network with random "
          "targets",
      .null_value = "0",
      .tolerance = rounding},
      count_error{.name = "count_error",
                  .sentence = "how far one layer with Kazemnejad's weights is from counting its tokens, at worst",
                  .definition = "theorem 1, codes added: max over heads and t = 1 .. N of |x_3 - 1 / t|",
                  .null_value = "0",
                  .tolerance = of_codes},
      distance_error{
          .name = "distance_error",
          .sentence = "how far logits with Kazemnejad's weights are from a content less the distance, at worst",
          .definition = "theorem 2, codes added: max over heads and i <= t of |logit(t, i) - (content - (t - i))| / N",
          .null_value = "0",
          .tolerance = of_codes};
  static constexpr std::tuple measures{even_deviation,     bias_deviation, state_deviation, last_attention,
                                       query_key_gradient, count_error,    distance_error};

  Index model_train_length() const override { return length; }
  Index scheme_layers() const override;
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

}  // namespace poslab::experiments::repeated_token
