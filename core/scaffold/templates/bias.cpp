// New scheme: a number for each offset, added to the logits.
#include <poslab/scheme.hpp>

using namespace poslab;

struct NewScheme {
  static constexpr Card card{
      .id = "new-scheme",
      .title = "New scheme",
      .version = "0.1",
      .paper = "Author et al. 2026, arXiv:0000.00000",
      .summary = "Lowers logits with the logarithm of the distance.",
      .formula = "logit -= slope_h log(1 + |i - j|)",
      .real_positions = true,
  };
  double first_slope;
  static constexpr std::tuple params{
      real(&NewScheme::first_slope, "first_slope", 1, at_least(0), "of all heads, at the start")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free | symmetric);

  std::vector<Weight> weights(const Model& m) const {
    return {constant("slope", {m.H}, first_slope, "how fast a head's logits fall")};
  }
  // offset = key - query. Written for any scalar S: gradients are derived from it.
  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    return w[0](head) * S(-std::log1p(std::abs(offset)));
  }
};
POSLAB_SCHEME(NewScheme)
