// SPDX-License-Identifier: Apache-2.0
// What softmax-resolution asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::softmax_resolution {
namespace {

using Names = std::vector<std::string>;

data::MeasureInfo measured(const std::string& name, const Names& dimensions, const std::string& unit,
                           const std::string& sentence, const std::string& definition, const std::string& null_value) {
  return {.name = name,
          .dimensions = dimensions,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-11, .relative = 1e-11, .per_position = 1e-14, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-4, .relative = 1e-3, .statistical = true}};
}

data::MeasureInfo limit(const std::string& name, const std::string& unit, const std::string& sentence,
                        const std::string& definition) {
  return {.name = name,
          .dimensions = Names{"bound"},
          .unit = unit,
          .sentence = sentence + "; absent where the scheme does not keep norms",
          .definition = definition,
          .null_value = "the same",
          .tolerance = {.absolute = 1e-300, .relative = 1e-13}};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "softmax-resolution";
  info.version = "1.0";
  info.title = "Neighbours in a softmax";
  info.question = "How far apart can attention to two neighbouring distances be when norms are bounded?";
  info.axes = {
      length_axis(),
      contents_axis(),
      Axis{
          .name = "bound",
          .default_value = std::vector<double>{1, 2, 4, 8},
          .range = {.lowest = 0, .highest = 300, .above_lowest = true},
          .unit = "nat",
          .sentence =
              "delta / T: norm(q) norm(k) scale over the softmax's temperature, the largest logit that these norms "
              "allow without positions",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  info.dimensions = {{.name = "offset",
                      .unit = "position",
                      .sentence = "r: how far the nearer of two neighbouring keys lies before the query",
                      .within = {"length"}}};
  const std::string over = "max over contents and heads of ";
  info.measures = {
      measured("gap", {"bound", "offset"}, "1", "largest gap of attention between distances r and r + 1",
               over + "|a(r) - a(r + 1)|; a the softmax of the last query's logits, every key the query's content",
               "0"),
      measured("largest_gap", {"bound"}, "1", "the largest of them at any distance", "max of gap over r", "0"),
      measured("least_attention", {"bound"}, "1/N", "least attention that a key gets, times the number of keys",
               "N min a(r) over contents, heads and r", "1"),
      measured("most_attention", {"bound"}, "1/N", "most attention that a key gets, times the number of keys",
               "N max a(r) over the same", "1"),
      measured("logit_range", {"bound"}, "nat", "greatest less least logit of a query", over + "max s - min s", "0"),
      limit("gap_limit", "1", "no two keys are farther apart than this, whatever they carry",
            "(1 - exp(-2 delta / T)) / (1 + (N - 1) exp(-2 delta / T))"),
      limit("least_limit", "1/N", "no key has less attention than this, whatever the keys carry, times their number",
            "N / (1 + (N - 1) exp(2 delta / T)), at least exp(-2 delta / T)"),
  };
  return info;
}

}  // namespace poslab::experiments::softmax_resolution
