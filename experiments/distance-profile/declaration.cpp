// SPDX-License-Identifier: Apache-2.0
// What distance-profile asks and measures, as data.
#include "poslab/experiment/declare.hpp"
#include "profile.hpp"

namespace poslab::experiments::distance_profile {
namespace {

// The words that differ between the measures of one kind of contents and those of another.
struct Words {
  std::string suffix, of;  // "_random", "for independent random contents"
  bool drawn;
};

Words words(Contents contents) {
  const std::string suffix = std::string("_") + to_text(contents);
  switch (contents) {
    case Contents::random: return {suffix, "for independent random contents of queries and keys", true};
    case Contents::equal: return {suffix, "for keys that carry the query's own random content", true};
    case Contents::ones: return {suffix, "for all-ones contents", false};
  }
  return {};
}

// Mostly rounding of a sum of K products beside a bias; what is drawn is the same for the same draws.
data::MeasureInfo measure(const Words& words, const std::string& name, std::vector<std::string> dimensions,
                          const std::string& unit, const std::string& sentence, const std::string& definition,
                          const std::string& null_value) {
  return {
      .name = name + words.suffix,
      .dimensions = std::move(dimensions),
      .unit = unit,
      .sentence = sentence + ", " + words.of,
      .definition = definition,
      .null_value = null_value,
      .tolerance = {.absolute = 1e-12, .relative = 1e-12, .per_position = 4e-16, .statistical = words.drawn},
      .float32 = data::Tolerance{.absolute = 1e-5, .relative = 1e-5, .statistical = words.drawn},
  };
}

std::string content_logit(Contents contents) {
  return contents == Contents::random ? "0 but for chance" : contents == Contents::ones ? "sqrt(K)" : "about sqrt(K)";
}

void add_curves(Contents contents, std::vector<data::MeasureInfo>& measures) {
  const Words of = words(contents);
  const std::string mean_null = content_logit(contents);
  const std::string deviation_null = contents == Contents::random ? "1 but for chance"
                                     : contents == Contents::ones ? "0"
                                                                  : "about sqrt(2)";
  const std::string s = "s_h(x_m, y_n; m, n)", r = "m - n = distance";
  measures.push_back(measure(of, "mean", {"distance"}, "sd", "mean logit at this distance over heads",
                             "mean over contents, heads and pairs with " + r + " of " + s, mean_null));
  measures.push_back(measure(of, "deviation", {"distance"}, "sd",
                             "standard deviation of the logits at this distance over heads",
                             "standard deviation over the same", deviation_null));
  measures.push_back(measure(
      of, "change", {"distance"}, "sd",
      "how far positions move the mean logit at this distance beside that of the own key",
      "mean over the same of " + s + " less the logit of the same contents without positions, less the same for n = m",
      "0"));
  measures.push_back(measure(of, "head_mean", {"head", "distance"}, "sd", "mean logit of a head at this distance",
                             "mean over contents and pairs with " + r + " of " + s, mean_null));
  measures.push_back(measure(of, "head_deviation", {"head", "distance"}, "sd",
                             "standard deviation of a head's logits at this distance",
                             "standard deviation over the same", deviation_null));
}

void add_shapes(Contents contents, std::vector<data::MeasureInfo>& measures) {
  const Words of = words(contents);
  measures.push_back(measure(of, "fall", {}, "sd", "how far the mean logit falls from distance 0 to the far ones",
                             "change(0) - mean of change(r) over the farther half of the distances; change(0) = 0",
                             "0"));
  if (of.drawn)
    measures.push_back(measure(of, "fall_error", {}, "sd",
                               "standard error of the fall, over the contents of one repeat",
                               "standard deviation of the contents' falls / sqrt(contents)", "0"));
  measures.push_back(measure(of, "monotonicity", {}, "1", "share of steps along which the mean logit does not rise",
                             "share of r >= 0 with change(r + 1) <= change(r), but for rounding", "1"));
  measures.push_back(measure(of, "first_rise", {}, "position", "distance from which the mean logit rises first",
                             "least r >= 0 with change(r + 1) > change(r), but for rounding; NaN if there is none",
                             "NaN"));
  measures.push_back(measure(
      of, "decay_length", {}, "position", "distance from which on the mean logit has fallen by 1 (a weight of 1/e)",
      "least r > 0 with change(r') <= change(0) - 1 for all r' >= r; NaN if there is none", "NaN"));
  measures.push_back(measure(of, "head_decay_length", {"head"}, "position",
                             "distance from which on a head's mean logit has fallen by 1 (a weight of 1/e)",
                             "decay_length of the head's own change", "NaN"));
  measures.push_back(measure(of, "head_fall", {"head"}, "sd",
                             "how far a head's mean logit falls from distance 0 to the far ones",
                             "fall of the head's own change", "0"));
  measures.push_back(measure(of, "asymmetry", {}, "sd",
                             "how far keys after the query and keys before it differ in their mean logit",
                             "rms over r > 0 of change(r) - change(-r); absent without keys after the query", "0"));
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "distance-profile";
  info.version = "2.0";
  info.title = "Logits by distance";
  info.question = "Do attention logits fall with the distance between query and key?";
  info.axes = {
      length_axis(256),
      contents_axis(),
      Axis{
          .name = "offsets",
          .choices = {"causal", "both"},
          .sentence = "which keys: the query's own and those before it (causal mask), or all of them (no mask)",
      },
      dtype_axis(),
  };
  info.draws_contents = true;
  info.dimensions = {
      {.name = "distance",
       .unit = "position",
       .sentence = "m - n, how far the key lies before the query; on a grid the length of the offset, rounded",
       .within = {"length"}},
      {.name = "head", .unit = "1", .sentence = "the head's number, from 0", .within = {"heads"}},
  };
  for (const Contents contents : all_contents) add_curves(contents, info.measures);
  for (const Contents contents : all_contents) add_shapes(contents, info.measures);
  info.measures.push_back({
      .name = "attended_distance",
      .dimensions = {"head"},
      .unit = "position",
      .sentence = "how far a head looks back on average if only distances tell keys apart, in a sequence",
      .definition = "sum_r r w_r, w the softmax over r = 0 .. N-1 of head_mean_ones(r)",
      .null_value = "(N - 1) / 2",
      .tolerance = {.relative = 1e-11, .per_length = 1e-12},
      .float32 = data::Tolerance{.relative = 1e-4, .per_length = 1e-5},
  });
  info.measures.push_back({
      .name = "bound",
      .dimensions = {"distance"},
      .sentence = "RoFormer's upper bound on what a rotation leaves of a logit, over the greatest step of its contents",
      .definition = "(1/J) sum_(j=1..J) |sum_(i<j) exp(i r theta_i)|, theta falling, J = K / 2 planes; mean over heads",
      .null_value = "absent",
      .tolerance = {.absolute = 1e-11, .per_position = 1e-12},
  });
  return info;
}

}  // namespace poslab::experiments::distance_profile
