// SPDX-License-Identifier: Apache-2.0
// What add-or-concatenate asks and measures, as data.
#include <fmt/format.h>

#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::add_or_concatenate {
namespace {

using data::MeasureInfo;

const char* seen_in(const std::string& way) {
  if (way == "sum") return "x + p";
  if (way == "concatenated") return "[x; p]";
  return "[x; p] W, W of 2 D x D numbers";
}

void add_recovery(std::vector<MeasureInfo>& measures) {
  for (const std::string way : {"sum", "concatenated", "projected"}) {
    const std::string of = std::string("off ") + seen_in(way);
    measures.push_back({.name = "position_error_" + way,
                        .unit = "position",
                        .sentence = "how far the position that least squares read " + of + " is from the token's own",
                        .definition = "mean |round(predicted) - n| over the second half of the sequences",
                        .null_value = "about N / 4",
                        .tolerance = {.absolute = 0.05, .statistical = true}});
    measures.push_back(
        {.name = "token_error_" + way,
         .sentence = "share of tokens that least squares reads wrongly " + of,
         .definition = "share of the second half whose largest of V scores, fitted to 0 and 1, is another's",
         .null_value = "0 where V <= D + 1 and the first half has every token",
         .tolerance = {.absolute = 0.01, .statistical = true}});
  }
  measures.push_back({.name = "position_error_chance",
                      .unit = "position",
                      .sentence = "the same for a probe that sees nothing: it says the mean position",
                      .definition = "mean |round((N - 1) / 2) - n|",
                      .null_value = "about N / 4",
                      .tolerance = absolute(1e-9)});
  measures.push_back({.name = "token_error_chance",
                      .sentence = "the same for a probe that sees nothing: it says the commonest token",
                      .definition = "share of tokens of the second half that are not the commonest of the first",
                      .null_value = "about 1 - 1 / V",
                      .tolerance = {.absolute = 1e-12, .statistical = true}});
}

void add_shares(std::vector<MeasureInfo>& measures) {
  for (const std::string way : {"sum", "projected"}) {
    const std::string matrices = way == "sum" ? ", one matrix for x and p" : ", a matrix each for x and p";
    const auto add = [&](const std::string& term, const std::string& words, const std::string& null_value) {
      measures.push_back(
          {.name = fmt::format("share_{}_{}", term, way),
           .sentence = fmt::format("share of the variation among a query's logits that is of {}{}", words, matrices),
           .definition = "variance over keys of that term, mean over queries, over the sum of those of all "
                         "four terms",
           .null_value = null_value,
           .tolerance = {.absolute = 1e-12, .statistical = true},
           .float32 = data::Tolerance{.absolute = 1e-5, .statistical = true}});
    };
    add("content", "contents with contents", "1");
    add("content_position", "the query's content with the keys' positions", "0");
    add("position_content", "the query's position with the keys' contents", "0");
    add("position", "positions with positions", "0");
  }
}

void add_cost(std::vector<MeasureInfo>& measures) {
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& sentence,
                       const std::string& of_sum, const std::string& of_projected) {
    measures.push_back({.name = name + "_sum",
                        .unit = unit,
                        .sentence = sentence + ", where the code is added",
                        .definition = of_sum,
                        .null_value = of_sum,
                        .tolerance = exact()});
    measures.push_back({.name = name + "_projected",
                        .unit = unit,
                        .sentence = sentence + ", where it is concatenated and projected",
                        .definition = of_projected,
                        .null_value = of_projected,
                        .tolerance = exact()});
  };
  add("parameters", "1", "numbers that are learned", "P, those of the scheme", "P + 2 D^2");
  add("bytes", "B", "memory of what is learned", "size of the scalar type times P", "the same times P + 2 D^2");
  add("operations", "1", "additions and multiplications for each token, beyond those of its code", "D", "4 D^2 - D");
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "add-or-concatenate";
  info.version = "1.1";
  info.title = "Add or concatenate";
  info.question = "Is anything lost where a code is added to the embedding, and what does it cost to put it beside?";
  info.axes = {
      length_axis(128),
      Axis{
          .name = "vocabulary",
          .default_value = std::int64_t{32},
          .range = {.lowest = 1, .highest = 65536},
          .sentence = "V: how many tokens there are, each with a random embedding",
      },
      Axis{
          .name = "sequences",
          .default_value = std::int64_t{16},
          .range = {.lowest = 2, .highest = 65536},
          .sentence = "S: how many sequences of N random tokens; probes are fitted to the first half, rounded up",
      },
      Axis{
          .name = "embedding_std",
          .default_value = 1.0,
          .range = {.lowest = 0, .above_lowest = true},
          .sentence = "standard deviation of the entries of an embedding, independent and normal",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  info.measures = {{
      .name = "identity_error",
      .sentence = "how far adding is from concatenating with one matrix for both, which is the same",
      .definition = "max |(x + p) W - [x; p] [W; W]| / (|[x; p]| |column of [W; W]|)",
      .null_value = "0",
      .tolerance = absolute(1e-14),
      .float32 = absolute(1e-6),
  }};
  add_recovery(info.measures);
  add_shares(info.measures);
  add_cost(info.measures);
  return info;
}

}  // namespace poslab::experiments::add_or_concatenate
