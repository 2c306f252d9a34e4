// SPDX-License-Identifier: Apache-2.0
// Which positions influence the last token before anything is learned? Definitions: u-shape.md.
#include <algorithm>

#include "context.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"

namespace poslab::experiments {
namespace u_shape {
namespace {

struct Position {
  static constexpr Dimension dimension{
      .name = "position", .unit = "position", .sentence = "index in the sequence, from 0", .within = [] {
        return std::vector<std::string>{"length"};
      }};
};

// Sums of positive numbers, one of N terms for each layer.
constexpr data::Tolerance sums{.absolute = 1e-15, .relative = 1e-12};

struct UShape final : Definition {
  static constexpr About about{
      .id = "u-shape",
      .version = "1.1",
      .title = "U shape",
      .question = "Which positions influence the last token before anything is learned: both ends and not the middle?"};

  Index length;
  double mixing;
  std::vector<double> depth;

  static Axes<UShape> axes() {
    return {
        {&UShape::length, length_axis(1024)},
        {&UShape::mixing,
         {.name = "mixing",
          .default_value = 0.5,
          .range = {.lowest = 0, .highest = 1},
          .sentence =
              "a: the part of a layer's output that comes through attention; the rest passes by the residual path"}},
        {&UShape::depth,
         {.name = "depth",
          .default_value = {1, 2, 4, 8},
          .range = {.lowest = 1, .highest = 1e4},
          .unit = "layers",
          .sentence = "t: how many layers stand on each other"}},
    };
  }

  static constexpr Measure<Depth, Position> context{
      .name = "context",
      .sentence = "share of each position in the context of the last token, without contents",
      .definition =
          "last row of B^(t) ... B^(1), B = (1 - a) I + a A, A the attention of queries and keys that are 0, "
          "averaged over heads",
      .null_value = "last row of ((1 - a) I + a C)^t, C the causal mean",
      .tolerance = sums};
  static constexpr Measure<Depth> first{.name = "first",
                                        .sentence = "share of the first position",
                                        .definition = "context at position 0",
                                        .null_value = "that of the causal mean",
                                        .tolerance = sums};
  static constexpr Measure<Depth> last{.name = "last",
                                       .sentence = "share of the last position itself",
                                       .definition = "context at position N - 1",
                                       .null_value = "(1 - a + a / N)^t",
                                       .tolerance = sums};
  static constexpr Measure<Depth> middle{.name = "middle",
                                         .sentence = "share of the position in the middle, over an even one",
                                         .definition = "N times context at position floor(N / 2)",
                                         .null_value = "that of the causal mean, near middle_limit",
                                         .tolerance = sums};
  static constexpr Measure<Depth> limit{
      .name = "middle_limit",
      .sentence = "what middle becomes as the length grows, of the mask alone",
      .definition = "sum_(k=1..t) binomial(t, k) (1 - a)^(t-k) a^k (log 2)^(k-1) / (k-1)!",
      .null_value = "the same for every scheme",
      .tolerance = sums};
  static constexpr Measure<Depth> distance{.name = "mean_distance",
                                           .unit = "token",
                                           .sentence = "how far back the context of the last token lies on average",
                                           .definition = "sum over positions j of context_j (N - 1 - j)",
                                           .null_value = "(N - 1) (1 - (1 - a / 2)^t)",
                                           .tolerance = sums};
  static constexpr std::tuple measures{context, first, last, middle, limit, distance};

  Index model_train_length() const override { return length; }
  Index scheme_layers() const override { return static_cast<Index>(rising(depth).back()); }
  std::optional<base::Refusal> why_skip(const Setting& of) const override {
    return why_no_causal_stack(of, depth, length);
  }

  // A matrix of each layer that differs; queries and keys that are 0, as transformed, and the attention of a tile.
  data::Estimate estimate(const Setting& of) const override {
    const Needs needs(of.scheme);
    const auto [N, different, depths] =
        reckoned(length, different_layers(of.scheme, scheme_layers()), rising(depth).size());
    const double pairs = N * N / 2;
    double steps = 0;
    for (const double layers_deep : rising(depth)) steps += 2 * layers_deep * pairs;
    return {
        8 * (different * N * N + 2 * N * needs.D + needs.attention(length) + 2 * N * depths),
        steps + different * (needs.transform(N) + needs.attend(pairs) + needs.softmax(pairs) + 4 * needs.H * pairs)};
  }

  void run(const ExperimentInput& input, Output& out) const override {
    const std::vector<double> depths = rising(depth);
    const std::vector<Array<double>> attention = empty_attention(input, length, scheme_layers());
    std::vector<double> rows, at_first, at_last, in_middle, limits, distances;
    for (const double layers_deep : depths) {
      const auto t = static_cast<Index>(layers_deep);
      const std::vector<double> row = last_context(attention, t, mixing);
      rows.insert(rows.end(), row.begin(), row.end());
      at_first.push_back(row.front());
      at_last.push_back(row.back());
      in_middle.push_back(static_cast<double>(length) * row[row.size() / 2]);
      distances.push_back(mean_distance(row));
      limits.push_back(middle_limit(t, mixing));
    }
    out.coordinate<Depth>(depths);
    out.coordinate<Position>(numbers_below(length), input.placement, input.positions(length));
    out.set(context, rows);
    out.set(first, at_first);
    out.set(last, at_last);
    out.set(middle, in_middle);
    out.set(limit, limits);
    out.set(distance, distances);
  }
};

}  // namespace
}  // namespace u_shape

Experiment make_u_shape() { return experiment_of<u_shape::UShape>(); }

}  // namespace poslab::experiments
