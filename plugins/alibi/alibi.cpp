// SPDX-License-Identifier: Apache-2.0
// ALiBi: each head takes a multiple of the distance off the logits.
#include <poslab/scheme.hpp>
using namespace poslab;

struct Alibi {
  static constexpr Card card{.id = "alibi",
                             .title = "Attention with linear biases",
                             .version = "1.0",
                             .paper = "Press et al. 2021, arXiv:2108.12409",
                             .summary = "Takes a multiple of the distance off the logits, another multiple in each head.",
                             .formula = "logit -= m_h (i - j), m_h = 2^(-8 (h + 1) / H)",
                             .used_in = "BLOOM, MPT, Falcon-RW, BloombergGPT",
                             .real_positions = true};
  enum Form : int { causal, symmetric_form, asymmetric };
  static constexpr const char* forms[] = {"causal", "symmetric", "asymmetric"};
  Form form;
  std::vector<double> slopes;
  static constexpr std::tuple params{choice(&Alibi::form, "form", forms, "what a key to the right gets")};
  Claims claims() const { return relative | content_free | length_free | (form == symmetric_form ? symmetric : no_claims); }
  Mask mask() const { return form == causal ? Mask::causal_only : Mask::any; }

  void prepare(const Model& m) {
    const int powers = 1 << static_cast<int>(std::log2(m.H));
    for (int h = 0; h < m.H; ++h)
      slopes.push_back(h < powers ? std::exp2(-8.0 * (h + 1) / powers) : std::exp2(-4.0 * (2 * (h - powers) + 1) / powers));
  }
  double bias(int head, double offset) const {
    const double slope = slopes[static_cast<std::size_t>(head)];
    if (form == causal) return slope * offset;
    return -slope * (std::abs(offset) - (form == asymmetric && offset < 0 ? 0.5 : 0));
  }
};
POSLAB_SCHEME(Alibi)
