// SPDX-License-Identifier: Apache-2.0
// What content-independence asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::content_independence {
namespace {

// Differences of logits are rounded as logits are.
constexpr data::Tolerance rounding{.absolute = 1e-12}, float32_rounding{.absolute = 1e-5};

data::MeasureInfo in_logits(std::string name, std::string sentence, std::string definition) {
  return {
      .name = std::move(name),
      .unit = "nat",
      .sentence = std::move(sentence),
      .definition = std::move(definition),
      .null_value = "0",
      .tolerance = rounding,
      .float32 = float32_rounding,
      .tolerance_unit = "logit_size",
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "content-independence";
  info.version = "2.0";
  info.title = "Content independence";
  info.question = "Is what a scheme adds to a logit the same for all contents, and if not, by how much does it differ?";
  info.axes = {length_axis(64), contents_axis(), dtype_axis()};
  info.dimensions = {{.name = "offset",
                      .unit = "position",
                      .sentence = "how many tokens the key stands before the query",
                      .within = {"length"}}};
  info.draws_contents = true;
  data::MeasureInfo by_offset = in_logits("spread_by_offset", "the same of the pairs at one offset",
                                          "content_spread over the pairs with m - n = offset");
  by_offset.dimensions = {"offset"};
  info.measures = {
      {
          .name = "logit_size",
          .unit = "nat",
          .sentence = "size of the logits with the scheme",
          .definition = "rms over contents, heads and pairs of s(m, n)",
          .null_value = "about 1",
          .tolerance = relative(1e-12),
          .float32 = relative(1e-4),
      },
      in_logits("size", "size of what the scheme adds to logits",
                "rms over contents, heads and pairs of c(m, n) = s(m, n) - scale <x_m, y_n>"),
      in_logits("content_spread", "how much of it differs between contents",
                "root of the mean over heads and pairs of the variance (C - 1) of c(m, n) over contents"),
      {
          .name = "content_share",
          .sentence = "share of it that differs between contents; 1: its mean over contents is 0",
          .definition = "content_spread^2 / size^2, at most 1; 0 where nothing is added",
          .null_value = "0",
          .tolerance = absolute(1e-9),
          .float32 = absolute(1e-2),
      },
      by_offset,
      in_logits(
          "curvature", "how far what it adds is from linear in queries and in keys, as fixed codes and maps are",
          "rms of c(x + x', y) - c(x, y) - c(x', y) + c(0, y), and the same in y, which is the layer's input, too"),
      in_logits("third_token",
                "how much of what it adds to a pair of tokens depends on other tokens; from three tokens on",
                "rms of d(m, n) - mean over n of d(m, n), d = s(m, n) with the contents of the tokens k, k + 3, k + 6, "
                "... replaced - s(m, n), for k = 0, 1, 2, over the pairs of the other tokens; contents in pairs, one "
                "replaces the other"),
  };
  return info;
}

}  // namespace poslab::experiments::content_independence
