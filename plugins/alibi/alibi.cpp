// SPDX-License-Identifier: Apache-2.0
// ALiBi: each head takes a multiple of the distance off the logits.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Alibi {
  static constexpr Card card{
      .id = "alibi",
      .title = "Attention with linear biases",
      .version = "1.0",
      .paper = "Press et al. 2021, arXiv:2108.12409",
      .summary = "Lowers logits with the distance.",
      .formula = "logit -= m_h (i - j), m_h = 2^(-8(h + 1)/H)",
      .used_in = "BLOOM, MPT, Falcon-RW",
      .real_positions = true,
  };
  enum Form { causal, even, half_step } form;
  double alibi_bias_max;
  static constexpr const char* forms[] = {"causal", "symmetric", "asymmetric"};
  static constexpr std::tuple params{
      choice(&Alibi::form, "form", forms, "what a key to the right of the query gets"),
      real(&Alibi::alibi_bias_max, "alibi_bias_max", 8.0, above(0), "the flattest slope is 2 to minus this")
          .usual({8, 16, 4})};
  Traits traits() const {
    return Traits()
        .claims(relative | content_free | length_free | (form == even ? symmetric : no_claims))
        .mask(form == causal ? Mask::causal_only : Mask::any);
  }
  std::vector<double> slopes;
  void prepare(const Model& m) {
    // The largest power of two up to the number of heads; later heads take every other slope of 2c heads.
    const int c = 1 << std::ilogb(m.H);
    for (int head = 0; head < m.H; ++head)
      slopes.push_back(std::exp2(-alibi_bias_max * (head < c ? head + 1.0 : head - c + 0.5) / c));
  }
  double bias(int head, double offset) const {
    return slopes[static_cast<std::size_t>(head)] * (form == causal                    ? offset
                                                     : form == half_step && offset < 0 ? offset + 0.5
                                                                                       : -std::abs(offset));
  }
};
POSLAB_SCHEME(Alibi)
