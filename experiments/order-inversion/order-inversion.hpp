// SPDX-License-Identifier: Apache-2.0
// How likely does the farther of two keys get the higher logit? Definitions: order-inversion.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/experiment/joined.hpp"

namespace poslab::experiments::order_inversion {

using base::Index;

struct Distance {
  static constexpr InnerAxis dimension{"distance"};
};

constexpr Measure<Distance> drawn(const char* name, const char* sentence, const char* definition,
                                  const char* null_value) {
  return {.name = name,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = {.absolute = 1e-12, .statistical = true},
          .float32 = data::Tolerance{.absolute = 1e-2, .statistical = true}};
}
template <Words contents, Words keys>
constexpr Measure<Distance> inversion_measure(const char* null_value) {
  return drawn(
      joined<"inversion_", contents>, joined<"probability that a farther key has the higher logit, for ", keys>,
      "mean of [s(r') > s(r)] + [s(r') = s(r)] / 2 over r' = r + 1 .. N - 1, contents and heads, the last query",
      null_value);
}
template <Words name>
constexpr Measure<Distance> error_of() {
  return drawn(joined<name, "_error">, joined<"standard error of ", name, ", over the contents of one repeat">,
               "standard deviation of the contents' own / sqrt(contents); NaN for one content", "0");
}

struct OrderInversion final : Definition {
  static constexpr About about{.id = "order-inversion",
                               .version = "1.0",
                               .title = "The farther key wins",
                               .question = "How likely does the farther of two keys get the higher logit?",
                               .draws_contents = true};

  Index length, contents;
  std::vector<double> distance;
  Dtype dtype;
  static Axes<OrderInversion> axes();

  static constexpr Measure<Distance>
      inversion_random = inversion_measure<"random", "keys that are all drawn apart">("1/2 but for chance"),
      inversion_random_error = error_of<"inversion_random">(),
      inversion_moved = inversion_measure<"moved", "one key at every position, drawn apart from the query">("1/2"),
      inversion_moved_error = error_of<"inversion_moved">(),
      inversion_equal = inversion_measure<"equal", "the query's own content as the key at every position">("1/2"),
      inversion_equal_error = error_of<"inversion_equal">(),
      relevance_flip =
          drawn("relevance_flip", "probability that two keys change places between distance 0 and this one",
                "share of contents and heads in which s(q, a; r) - s(q, b; r) has another sign than at r = 0", "0"),
      relevance_flip_error = error_of<"relevance_flip">();
  static constexpr std::tuple measures{inversion_random, inversion_random_error, inversion_moved, inversion_moved_error,
                                       inversion_equal,  inversion_equal_error,  relevance_flip,  relevance_flip_error};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
};

}  // namespace poslab::experiments::order_inversion
