// SPDX-License-Identifier: Apache-2.0
// Does a logit stay what it was when the context grows and its key comes from a cache? Definitions:
// cache-consistency.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::cache_consistency {

struct Cached {
  static constexpr InnerAxis dimension{"cached"};
};

struct OddCached {
  static constexpr Dimension dimension{
      .name = "odd_cached",
      .unit = "token",
      .sentence =
          "T beside the shares of N: the four lengths from N / 2 - 1, N - 1, the last prime up to 2 N / 3, and "
          "one that is drawn"};
};

struct CacheConsistency final : Definition {
  static constexpr About about{
      .id = "cache-consistency",
      .version = "3.0",
      .title = "Keys from a cache",
      .question = "Does a logit stay what it was when the context grows and its key comes from a cache?",
      .draws_contents = true};

  base::Index length, train_length, contents;
  std::vector<double> cached;
  Dtype dtype;
  static Axes<CacheConsistency> axes();

  // Rounding of differences of logits, which angles as large as positions give; the draws are the same.
  static constexpr data::Tolerance rounding{
      .absolute = 1e-12, .relative = 1e-12, .per_position = 4e-15, .statistical = true},
      float32_rounding{.absolute = 1e-4, .relative = 1e-4, .statistical = true};

  static constexpr Measure<Cached> cached_error{
      .name = "cached_error",
      .unit = "sd",
      .sentence = "largest change of a new query's logit when old keys come from the cache",
      .definition =
          "max |s_h(i, j; N) - s_h(i, j; N) with key j as a context of T made it| over contents, heads, the last "
          "min(64, N - T) queries i, keys j < T",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding};
  static constexpr Measure<Cached> cached_error_rms{.name = "cached_error_rms",
                                                    .unit = "sd",
                                                    .sentence = "the same, root mean square",
                                                    .definition = "rms of it over the same",
                                                    .null_value = "0",
                                                    .tolerance = rounding,
                                                    .float32 = float32_rounding};
  static constexpr Measure<Cached> attention_moved{
      .name = "attention_moved",
      .sentence = "share of a new query's attention that goes elsewhere when old keys come from the cache",
      .definition =
          "mean over contents, heads and the same queries of (1/2) sum_j |a_j - a_j with cached keys|, j <= i",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding};
  static constexpr Measure<Cached> past_error{
      .name = "past_error",
      .unit = "sd",
      .sentence =
          "largest change of an old query's logit, less the mean over its keys, which softmax cancels: what "
          "the shorter context would find now",
      .definition =
          "max |d(i, j) - mean over j <= i of d(i, j)|, d(i, j) = s_h(i, j; N) - s_h(i, j; T), over contents, heads, "
          "the last min(64, T) queries i < T, keys j <= i; the scheme is handed all N keys, or all T",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding};
  static constexpr Measure<OddCached> odd_cached_error{.name = "odd_cached_error",
                                                       .unit = "sd",
                                                       .sentence = "cached_error where no round share was cached",
                                                       .definition = "as `cached_error`, T = odd_cached",
                                                       .null_value = "0",
                                                       .tolerance = rounding,
                                                       .float32 = float32_rounding};
  static constexpr Measure<OddCached> odd_attention_moved{.name = "odd_attention_moved",
                                                          .sentence = "attention_moved where no round share was cached",
                                                          .definition = "as `attention_moved`, T = odd_cached",
                                                          .null_value = "0",
                                                          .tolerance = rounding,
                                                          .float32 = float32_rounding};
  static constexpr Measure<OddCached> odd_past_error{.name = "odd_past_error",
                                                     .unit = "sd",
                                                     .sentence = "past_error where no round share was cached",
                                                     .definition = "as `past_error`, T = odd_cached",
                                                     .null_value = "0",
                                                     .tolerance = rounding,
                                                     .float32 = float32_rounding};
  static constexpr Measure<Cached> reused_bias_error{
      .name = "reused_bias_error",
      .unit = "sd",
      .sentence =
          "largest change of the bias at one offset between the last query of the shorter context and of the "
          "grown one; absent where there is no bias, or positions are uneven",
      .definition = "max |B_h(N - 1, N - 1 - r; N) - B_h(T - 1, T - 1 - r; T)| over heads and r < T",
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding};
  static constexpr std::tuple measures{cached_error,     cached_error_rms,    attention_moved, past_error,
                                       odd_cached_error, odd_attention_moved, odd_past_error,  reused_bias_error};

  base::Index model_train_length() const override { return train_length; }
  std::optional<base::Refusal> why_skip(const experiments::Setting& of) const override;
  data::Estimate estimate(const experiments::Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  /// T: how many tokens were cached before the context grew, of this share of N.
  base::Index tokens_of(double share) const;
  /// T of the contexts beside these, rising: of every remainder by 2, 3 and 4, one of them a prime.
  std::vector<base::Index> odd_cached() const;
};

}  // namespace poslab::experiments::cache_consistency
