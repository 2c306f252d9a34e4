// SPDX-License-Identifier: Apache-2.0
// What cache-consistency asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::cache_consistency {
namespace {

data::MeasureInfo measure(const std::string& name, const std::string& unit, const std::string& sentence,
                          const std::string& definition) {
  return {
      .name = name,
      .dimensions = {"cached"},
      .unit = unit,
      .sentence = sentence,
      .definition = definition,
      .null_value = "0",
      // Rounding of differences of logits, which angles as large as positions give; the draws are the same.
      .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 4e-15, .statistical = true},
      .float32 = data::Tolerance{.absolute = 1e-4, .relative = 1e-4, .statistical = true},
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "cache-consistency";
  info.version = "2.0";
  info.title = "Keys from a cache";
  info.question = "Does a logit stay what it was when the context grows and its key comes from a cache?";
  info.axes = {
      length_axis(),
      Axis{
          .name = "train_length",
          .default_value = std::int64_t{256},
          .range = from_one,
          .unit = "position",
          .sentence = "L: the length that the scheme is told it was trained at",
      },
      contents_axis(),
      Axis{
          .name = "cached",
          .default_value = std::vector<double>{0.25, 0.5, 0.75},
          .range = {.lowest = 0, .highest = 1, .below_highest = true},
          .sentence =
              "T / N: which share of the tokens was cached before the context grew to N; T is rounded down, and "
              "at least 1",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  const std::string recomputed = "s_h(i, j; N) - s_h(i, j; N) with key j as a context of T made it";
  info.measures = {
      measure("cached_error", "sd", "largest change of a new query's logit when old keys come from the cache",
              "max |" + recomputed + "| over contents, heads, the last min(64, N - T) queries i, keys j < T"),
      measure("cached_error_rms", "sd", "the same, root mean square", "rms of it over the same"),
      measure("attention_moved", "1",
              "share of a new query's attention that goes elsewhere when old keys come from the "
              "cache",
              "mean over contents, heads and the same queries of (1/2) sum_j |a_j - a_j with cached keys|, j <= i"),
      measure("past_error", "sd",
              "largest change of an old query's logit, less the mean over its keys, which softmax cancels: what the "
              "shorter context would find now",
              "max |d(i, j) - mean over j <= i of d(i, j)|, d(i, j) = s_h(i, j; N) - s_h(i, j; T), over contents, "
              "heads, the last min(64, T) queries i < T, keys j <= i; the scheme is handed all N keys, or all T"),
      measure("reused_bias_error", "sd",
              "largest change of the bias at one offset between the last query of the "
              "shorter context and of the grown one; absent where there is no bias, or positions are uneven",
              "max |B_h(N - 1, N - 1 - r; N) - B_h(T - 1, T - 1 - r; T)| over heads and r < T"),
  };
  return info;
}

}  // namespace poslab::experiments::cache_consistency
