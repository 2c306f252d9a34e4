// SPDX-License-Identifier: Apache-2.0
// What order-inversion asks and measures, as data.
#include "contents.hpp"
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::order_inversion {
namespace {

data::MeasureInfo measure(const std::string& name, const std::string& sentence, const std::string& definition,
                          const std::string& null_value) {
  return {.name = name,
          .dimensions = {"distance"},
          .unit = "1",
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-2, .statistical = true}};
}

const char* words_of(Keys keys) {
  switch (keys) {
    case Keys::random: return "keys that are all drawn apart";
    case Keys::moved: return "one key at every position, drawn apart from the query";
    case Keys::equal: return "the query's own content as the key at every position";
  }
  return "";
}

void add_error(const std::string& of, std::vector<data::MeasureInfo>& measures) {
  measures.push_back(measure(of + "_error", "standard error of " + of + ", over the contents of one repeat",
                             "standard deviation of the contents' own / sqrt(contents); NaN for one content", "0"));
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "order-inversion";
  info.version = "1.0";
  info.title = "The farther key wins";
  info.question = "How likely does the farther of two keys get the higher logit?";
  info.axes = {
      length_axis(),
      contents_axis(),
      Axis{
          .name = "distance",
          .default_value = std::vector<double>{0, 1, 4, 16, 64, 256},
          .range = {.lowest = 0},
          .unit = "position",
          .sentence = "r: how far the nearer key lies before the query; a whole number below N",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  for (const Keys keys : all_keys) {
    const std::string name = std::string("inversion_") + to_text(keys);
    info.measures.push_back(measure(
        name, std::string("probability that a farther key has the higher logit, for ") + words_of(keys),
        "mean of [s(r') > s(r)] + [s(r') = s(r)] / 2 over r' = r + 1 .. N - 1, contents and heads, the last query",
        keys == Keys::random ? "1/2 but for chance" : "1/2"));
    add_error(name, info.measures);
  }
  info.measures.push_back(
      measure("relevance_flip", "probability that two keys change places between distance 0 and this one",
              "share of contents and heads in which s(q, a; r) - s(q, b; r) has another sign than at r = 0", "0"));
  add_error("relevance_flip", info.measures);
  return info;
}

}  // namespace poslab::experiments::order_inversion
