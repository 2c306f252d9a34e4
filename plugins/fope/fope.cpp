// SPDX-License-Identifier: Apache-2.0
// FoPE: every plane of RoPE is given a cosine and a sine that are sums over all frequencies, with coefficients that are
// drawn; frequencies too slow for the trained length are left out.
// Dimension letters: H heads, K head width, F frequencies that are kept, P planes that have a series, m a plane.
#include <numbers>

#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>

using namespace poslab;

struct Fope {
  static constexpr Card card{
      .id = "fope",
      .title = "Fourier position embedding",
      .version = "2.0",
      .paper = "Hua et al. 2024, arXiv:2412.17739",
      .summary = "RoPE whose cosines and sines are sums over several frequencies; those too slow are left out.",
      .formula =
          "(x, y) -> (x C_m(p) - y S_m(p), y C_m(p) + x S_m(p)), C_m = sum_f a_fm cos(p w_f), S_m = sum_f b_fm "
          "sin(p w_f)",
      .used_in = "Intern-S1-Pro",
      .real_positions = true};
  static constexpr const char* forms[] = {"released", "appendix", "intern-s1"};
  enum class Form { released, appendix, intern_s1 };
  static constexpr const char* paddings[] = {"one", "zero"};
  enum class Padding { one, zero };
  double base;
  Form form;
  Padding padding;
  std::optional<int> frequencies, training_length;
  bool separate_heads;
  double gain;
  bool train;
  static constexpr std::tuple params{
      real(&Fope::base, "base", 1e4, above(0), "the longest wavelength of all planes over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      choice(&Fope::form, "form", forms,
             "released: the authors' repository; appendix: their paper's listing, over the sum of coefficients and "
             "turning the other way; intern-s1: as many series as frequencies"),
      choice(&Fope::padding, "padding", paddings, "the sine of planes without a series, whose cosine is 1"),
      integer(&Fope::frequencies, "frequencies", unset, at_least(1),
              "F: how many frequencies are kept, the fastest; unset: those whose wavelength is within training_length"),
      integer(&Fope::training_length, "training_length", unset, at_least(1), "unset: the model's trained length")
          .in("position"),
      flag(&Fope::separate_heads, "separate_heads", true, "every head has coefficients of its own"),
      real(&Fope::gain, "gain", 0.3, above(0), "of Xavier's normal initialisation of the coefficients"),
      flag(&Fope::train, "train", false, "whether training moves the coefficients")};

  std::vector<double> frequency;  // [F]
  int P = 0;                      // planes that have a series

  void prepare(const Model& m) {
    require(m.K % 4 == 0, "series are of a quarter of a head's channels: fope needs a head width in fours, not ", m.K);
    const double length = training_length ? *training_length : static_cast<double>(m.train_length);
    for (int i = 0; i < m.K / 2; ++i) {
      const double w = std::pow(base, -2.0 * i / m.K);
      if (frequencies ? i < *frequencies : w > 2 * std::numbers::pi / length) frequency.push_back(w);
    }
    require(!frequency.empty(), "no wavelength is within the training length ", length, ": there is no series");
    require(frequency.size() >= static_cast<std::size_t>(frequencies.value_or(0)), "a head of width ", m.K, " has ",
            m.K / 2, " frequencies, not ", frequencies.value_or(0));
    P = form == Form::intern_s1 ? F() : std::min(F(), m.K / 4);
  }
  Traits traits() const {
    return Traits()
        .claims(content_free | bounded | (frequencies || training_length ? length_free : no_claims))
        .pairing(Pairing::half_split)
        .inverse_frequency(frequency);
  }

  std::vector<Weight> weights(const Model& m) const {
    const int sets = separate_heads ? m.H : 1;
    // Xavier takes [heads, F, P] for a convolution from F to `heads` channels, P wide.
    const double deviation = gain * std::sqrt(2.0 / (separate_heads ? P * (F() + m.H) : F() + P));
    const auto coefficients = [&](const char* name, const char* sentence) {
      const Weight drawn = normal(name, {sets, F(), P}, deviation, sentence);
      const Weight kept = train ? drawn : drawn.frozen();
      return form == Form::released ? kept.each_layer() : kept;
    };
    return {coefficients("cosine", "a: coefficients of cosines, less those of RoPE"),
            coefficients("sine", "b: coefficients of sines, less those of RoPE")};
  }

  template <class S>
  void rotate(int head, Point p, Row<S> cosines, Row<S> sines, Weights<const S> w) const {
    std::vector<double> waves(2 * frequency.size());
    const Row<double> cosine_waves = Row<double>(waves).first(frequency.size()),
                      sine_waves = Row<double>(waves).last(frequency.size());
    sines_and_cosines(p, frequency, sine_waves, cosine_waves);
    const int set = separate_heads ? head : 0, direction = form == Form::appendix ? -1 : 1;
    for (std::size_t m = 0; m < cosines.size(); ++m) {
      const bool has_series = m < static_cast<std::size_t>(P);
      cosines[m] = has_series ? series<S>(w[0], set, static_cast<int>(m), cosine_waves) : S(1);
      sines[m] = S(direction) * (has_series ? series<S>(w[1], set, static_cast<int>(m), sine_waves)
                                            : S(padding == Padding::one ? 1 : 0));
    }
  }

 private:
  int F() const { return static_cast<int>(frequency.size()); }

  // Where RoPE has a one: planes take each frequency, or every second, every third.
  double of_rope(int f, int m) const { return f == m * ((F() + P - 1) / P) ? 1 : 0; }

  template <class S>
  S series(const Tensor<const S>& coefficients, int set, int m, Row<const double> waves) const {
    Exact<S> sum(0), all(0);
    for (int f = 0; f < F(); ++f) {
      const Exact<S> coefficient = Exact<S>(coefficients(set, f, m)) + of_rope(f, m);
      sum += coefficient * waves[static_cast<std::size_t>(f)];
      all += coefficient;
    }
    return S(form == Form::appendix ? sum / all : sum);
  }
};
POSLAB_SCHEME(Fope)
