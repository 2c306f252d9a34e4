// SPDX-License-Identifier: Apache-2.0
// Should a code be added to the embedding, or stand beside it? Definitions: add-or-concatenate.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::add_or_concatenate {

using base::Index;

constexpr Scalar position_error(const char* name, const char* sentence) {
  return {.name = name,
          .unit = "position",
          .sentence = sentence,
          .definition = "mean |round(predicted) - n| over the second half of the sequences",
          .null_value = "about N / 4",
          .tolerance = {.absolute = 0.05, .statistical = true}};
}
constexpr Scalar token_error(const char* name, const char* sentence) {
  return {.name = name,
          .sentence = sentence,
          .definition = "share of the second half whose largest of V scores, fitted to 0 and 1, is another's",
          .null_value = "0 where V <= D + 1 and the first half has every token",
          .tolerance = {.absolute = 0.01, .statistical = true}};
}
constexpr Scalar share(const char* name, const char* sentence, const char* null_value = "0") {
  return {.name = name,
          .sentence = sentence,
          .definition = "variance over keys of that term, mean over queries, over the sum of those of all four terms",
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-5, .statistical = true}};
}
constexpr Scalar cost(const char* name, const char* unit, const char* sentence, const char* value) {
  return {
      .name = name, .unit = unit, .sentence = sentence, .definition = value, .null_value = value, .tolerance = exact()};
}

/// What a probe recovers of what it sees, or by chance.
struct RecoveryMeasures {
  Scalar position_error, token_error;
};
/// The four terms of a logit.
struct ShareMeasures {
  Scalar content, content_position, position_content, position;
};

struct AddOrConcatenate final : Definition {
  static constexpr About about{
      .id = "add-or-concatenate",
      .version = "1.1",
      .title = "Add or concatenate",
      .question = "Is anything lost where a code is added to the embedding, and what does it cost to put it beside?",
      .draws_contents = true};

  Index length, vocabulary, sequences;
  double embedding_std;
  Dtype dtype;
  static Axes<AddOrConcatenate> axes();

  static constexpr Scalar identity_error{
      .name = "identity_error",
      .sentence = "how far adding is from concatenating with one matrix for both, which is the same",
      .definition = "max |(x + p) W - [x; p] [W; W]| / (|[x; p]| |column of [W; W]|)",
      .null_value = "0",
      .tolerance = absolute(1e-14),
      .float32 = absolute(1e-6)};
  static constexpr RecoveryMeasures sum{
      position_error("position_error_sum",
                     "how far the position that least squares read off x + p is from the token's own"),
      token_error("token_error_sum", "share of tokens that least squares reads wrongly off x + p")},
      concatenated{
          position_error("position_error_concatenated",
                         "how far the position that least squares read off [x; p] is from the token's own"),
          token_error("token_error_concatenated", "share of tokens that least squares reads wrongly off [x; p]")},
      projected{position_error("position_error_projected",
                               "how far the position that least squares read off [x; p] W, W of 2 D x D numbers is "
                               "from the token's own"),
                token_error("token_error_projected",
                            "share of tokens that least squares reads wrongly off [x; p] W, W of 2 D x D numbers")},
      chance{{.name = "position_error_chance",
              .unit = "position",
              .sentence = "the same for a probe that sees nothing: it says the mean position",
              .definition = "mean |round((N - 1) / 2) - n|",
              .null_value = "about N / 4",
              .tolerance = absolute(1e-9)},
             {.name = "token_error_chance",
              .sentence = "the same for a probe that sees nothing: it says the commonest token",
              .definition = "share of tokens of the second half that are not the commonest of the first",
              .null_value = "about 1 - 1 / V",
              .tolerance = {.absolute = 1e-12, .statistical = true}}};
  static constexpr ShareMeasures shares_sum{
      share("share_content_sum",
            "share of the variation among a query's logits that is of contents with contents, one matrix "
            "for x and p",
            "1"),
      share("share_content_position_sum",
            "share of the variation among a query's logits that is of the query's content with the keys' "
            "positions, one matrix for x and p"),
      share("share_position_content_sum",
            "share of the variation among a query's logits that is of the query's position with the keys' "
            "contents, one matrix for x and p"),
      share("share_position_sum",
            "share of the variation among a query's logits that is of positions with positions, one matrix "
            "for x and p")},
      shares_projected{share("share_content_projected",
                             "share of the variation among a query's logits that is of contents with contents, a "
                             "matrix each for x and p",
                             "1"),
                       share("share_content_position_projected",
                             "share of the variation among a query's logits that is of the query's content with the "
                             "keys' positions, a matrix each for x and p"),
                       share("share_position_content_projected",
                             "share of the variation among a query's logits that is of the query's position with the "
                             "keys' contents, a matrix each for x and p"),
                       share("share_position_projected",
                             "share of the variation among a query's logits that is of positions with positions, a "
                             "matrix each for x and p")};
  static constexpr Scalar
      parameters_sum =
          cost("parameters_sum", "1", "numbers that are learned, where the code is added", "P, those of the scheme"),
      parameters_projected = cost("parameters_projected", "1",
                                  "numbers that are learned, where it is concatenated and projected", "P + 2 D^2"),
      bytes_sum = cost("bytes_sum", "B", "memory of what is learned, where the code is added",
                       "size of the scalar type times P"),
      bytes_projected =
          cost("bytes_projected", "B", "memory of what is learned, where it is concatenated and projected",
               "the same times P + 2 D^2"),
      operations_sum = cost("operations_sum", "1",
                            "additions and multiplications for each token, beyond those of its code, where the code is "
                            "added",
                            "D"),
      operations_projected = cost("operations_projected", "1",
                                  "additions and multiplications for each token, beyond those of its code, where it is "
                                  "concatenated and projected",
                                  "4 D^2 - D");
  static constexpr std::tuple measures{identity_error,
                                       sum.position_error,
                                       sum.token_error,
                                       concatenated.position_error,
                                       concatenated.token_error,
                                       projected.position_error,
                                       projected.token_error,
                                       chance.position_error,
                                       chance.token_error,
                                       shares_sum.content,
                                       shares_sum.content_position,
                                       shares_sum.position_content,
                                       shares_sum.position,
                                       shares_projected.content,
                                       shares_projected.content_position,
                                       shares_projected.position_content,
                                       shares_projected.position,
                                       parameters_sum,
                                       parameters_projected,
                                       bytes_sum,
                                       bytes_projected,
                                       operations_sum,
                                       operations_projected};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

}  // namespace poslab::experiments::add_or_concatenate
