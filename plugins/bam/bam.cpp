// SPDX-License-Identifier: Apache-2.0
// The Bayesian attention mechanism: each head takes the exponent of a generalised Gaussian of the offset, its width,
// shape and middle learned, off the logits.
#include <type_traits>

#include <poslab/scheme.hpp>

using namespace poslab;

struct Bam {
  static constexpr Card card{
      .id = "bam",
      .title = "Bayesian attention mechanism",
      .version = "2.0",
      .paper = "Bianchessi et al. 2025, arXiv:2505.22842",
      .summary = "A learned generalised Gaussian of the offset is the prior of attention; ALiBi is its Laplace case.",
      .formula = "logit -= m_h e^alpha_h (|j - i - (e^mu_h - e^-mu_h)| + eps)^beta_h",
      .real_positions = true};
  enum class Slopes { one, alibi } slopes;
  double alpha_init, beta_init, eps;
  bool train_mu;
  static constexpr const char* slopes_names[] = {"one", "alibi"};
  static constexpr std::tuple params{
      choice(&Bam::slopes, "slopes", slopes_names, "m_h: 1, or ALiBi's slope of the head"),
      real(&Bam::alpha_init, "alpha_init", 0, any_number, "alpha before training"),
      real(&Bam::beta_init, "beta_init", 0, any_number, "beta before training: 0 uniform, 1 Laplace, 2 Gauss"),
      real(&Bam::eps, "eps", 1e-5, above(0), "added to the distance, so that any power of it is a number"),
      flag(&Bam::train_mu, "train_mu", false, "whether training moves the middle of the prior")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free);

  std::vector<double> m;
  void prepare(const Model& model) {
    // ALiBi's: up to the largest power of two of heads; later heads take every other slope of 2c heads.
    const int c = 1 << std::ilogb(model.H);
    for (int head = 0; head < model.H; ++head)
      m.push_back(slopes == Slopes::one ? 1 : std::exp2(-8.0 * (head < c ? head + 1.0 : head - c + 0.5) / c));
  }
  std::vector<Weight> weights(const Model& model) const {
    const Weight mu =
        constant("mu", {model.H}, 0, "e^mu - e^-mu is the offset at which the prior is highest").each_layer();
    return {constant("alpha", {model.H}, alpha_init, "logarithm of a head's strength, over m_h").each_layer(),
            constant("beta", {model.H}, beta_init, "the power of the distance").each_layer(),
            train_mu ? mu : mu.frozen()};
  }

  template <class S>
  S bias(int head, double offset, Weights<const S> w) const {
    using Real =
        std::conditional_t<std::is_same_v<S, float>, double, S>;  // powers of distances take more than float has
    const Real alpha = w[0](head), beta = w[1](head), mu = w[2](head);
    const Real distance = abs(Real(offset) - (exp(mu) - exp(-mu))) + Real(eps);
    return static_cast<S>(Real(-m[static_cast<std::size_t>(head)]) * exp(alpha) * pow(distance, beta));
  }
};
POSLAB_SCHEME(Bam)
