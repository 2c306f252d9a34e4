// SPDX-License-Identifier: Apache-2.0
// KERPLE: each head takes a learned, rising function of the distance off the logits: its logarithm or its power.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Kerple {
  static constexpr Card card{.id = "kerple",
                             .title = "Kernelised relative bias",
                             .version = "1.0",
                             .paper = "Chi et al. 2022, arXiv:2205.09921",
                             .summary = "Two learned numbers per head shape how the logits fall with the distance.",
                             .formula = "log: logit -= p_h ln(1 + a_h d); power: logit -= a_h d^p_h; d = max(i - j, 0)",
                             .used_in = "KERPLE's GPT-NeoX models",
                             .real_positions = true};
  enum class Form { logarithm, power } form;
  double eps, p_max;
  static constexpr const char* forms[] = {"log", "power"};
  static constexpr std::tuple params{
      choice(&Kerple::form, "form", forms, "how the bias falls with the distance"),
      real(&Kerple::eps, "eps", 0.01, above(0), "a and p count as this where they are less"),
      real(&Kerple::p_max, "p_max", 2.0, above(0).at_most(2), "power: p counts as this where it is more")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free);

  void prepare() { require(eps < p_max, "kerple: eps must be less than p_max, which is ", p_max, ", not ", eps); }

  std::vector<Weight> weights(const Model& m) const {
    return {uniform("a", {m.H}, 0, 1, "log: a head's inverse length; power: its strength"),
            uniform("p", {m.H}, 0, 2, "log: a head's strength; power: its exponent")};
  }

  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    if (offset >= 0) return S(0);
    const S distance = S(-offset);
    const S a = within(w[0](head), any_number.highest),
            p = within(w[1](head), form == Form::power ? p_max : any_number.highest);
    return form == Form::power ? -a * pow(distance, p) : -p * log1p(a * distance);
  }

 private:
  template <class S>
  S within(const S& x, double highest) const {
    return value_of(x) < eps ? S(eps) : value_of(x) > highest ? S(highest) : x;
  }
};
POSLAB_SCHEME(Kerple)
