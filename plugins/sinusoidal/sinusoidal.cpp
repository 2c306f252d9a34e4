// SPDX-License-Identifier: Apache-2.0
// Sinusoidal encoding in the three layouts that are in use: sines and cosines of the position at many frequencies.
#include <poslab/scheme.hpp>
#include <poslab/sdk/angles.hpp>
using namespace poslab;

struct Sinusoidal {
  static constexpr Card card{.id = "sinusoidal",
                             .title = "Sinusoidal encoding",
                             .version = "1.2",
                             .paper = "Vaswani et al. 2017, arXiv:1706.03762",
                             .summary = "Adds sines and cosines of the position at geometrically spaced frequencies.",
                             .formula = "e(p)[2m] = sin(p w_m), e(p)[2m+1] = cos(p w_m), w_m = base^(-2m/D)",
                             .used_in = "the original Transformer, Marian, fairseq, M2M-100",
                             .real_positions = true};
  enum class Layout { interleaved, half_split, timing_signal };
  static constexpr const char* layouts[] = {"interleaved", "half-split", "timing-signal"};
  Layout layout;
  double base, scale, shortest, longest, start;
  bool scaled;
  std::vector<double> inverse_frequency;
  bool every_sine_has_its_cosine;
  static constexpr std::tuple params{
      choice(&Sinusoidal::layout, "layout", layouts, "where sines and cosines stand, and how frequencies are spaced"),
      real(&Sinusoidal::base, "base", 1e4, above(0), "the longest wavelength over 2 pi, about; timing-signal has none")
          .as(Role::base)
          .usual(usual_bases),
      real(&Sinusoidal::scale, "scale", 1, any_number, "factor on the whole code").as(Role::factor),
      flag(&Sinusoidal::scaled, "scaled", false, "a learned factor on the whole code, too, D^-0.5 at first"),
      real(&Sinusoidal::shortest, "min_timescale", 1, above(0),
           "timing-signal: the highest frequency (a factor on all)"),
      real(&Sinusoidal::longest, "max_timescale", 1e4, above(0), "timing-signal: 1 over the lowest frequency, about")
          .as(Role::base)
          .usual(usual_bases)
          .in("position"),
      real(&Sinusoidal::start, "start_index", 0, any_number, "added to every position").as(Role::start).in("position")};

  Traits traits(const Model& m) const {
    return Traits()
        .claims(content_free | length_free | bounded | (every_sine_has_its_cosine ? constant_norm : no_claims))
        .unique_up_to(scale == 0 || scaled ? 0 : INFINITY)  // a learned factor may be 0
        .inverse_frequency(inverse_frequency)
        // Section 3.4; tensor2tensor draws them with deviation 1 / sqrt(D). Where the code has the factor, they have
        // none.
        .embedding_scale(scaled ? 0 : std::sqrt(m.D));
  }

  // A row of odd width has one sine more than cosines; but a timing signal's ends with a zero.
  void prepare(const Model& m) {
    const bool timing = layout == Layout::timing_signal;
    require(!timing || longest > shortest, "max_timescale must be above min_timescale ", shortest, ", not ", longest);
    require(timing || base != 1, "base must not be 1, which gives every pair of channels the same frequency");
    const int pairs = m.D / 2, sines = timing ? pairs : m.D - pairs;
    every_sine_has_its_cosine = sines == pairs;
    const double step = std::log(longest / shortest) / std::max(pairs - 1, 1);
    for (int k = 0; k < sines; ++k)
      inverse_frequency.push_back(timing ? shortest * std::exp(-k * step) : std::pow(base, -2.0 * k / m.D));
  }

  std::vector<Weight> weights(const Model& m) const {
    if (!scaled) return {};
    return {constant("scale", {1}, 1 / std::sqrt(m.D), "factor on the whole code")};
  }

  template <class S>
  void encode(Point p, Row<S> row, Weights<const S> w) const {
    const Exact<S> factor = scaled ? Exact<S>(scale * w[0](0)) : Exact<S>(scale);
    row.back() = 0;
    for_channels<S>(factor, p, row.size(), [&](std::size_t c, S part) { row[c] = part; });
  }

  template <class S>
  void encode_gradient(Point p, Row<const S> gradient, Weights<const S>, Weights<S> dw) const {
    double sum = 0;
    for_channels<double>(scale, p, gradient.size(),
                         [&](std::size_t c, double part) { sum += part * double{gradient[c]}; });
    dw[0](0) += static_cast<S>(sum);
  }

 private:
  // use(channel, scaled sine or cosine); a channel beyond the last pair is left out.
  template <class S, class Use>
  void for_channels(Exact<S> factor, Point p, std::size_t width, Use use) const {
    // The layout is known to each loop, so that it is made vector code of.
    const auto in_layout = [&](auto pairs, std::size_t first_cosine) {
      constexpr std::size_t stride = pairs ? 2 : 1;
      for_scaled_sines_and_cosines<S>(factor, p + start, inverse_frequency, [&](std::size_t m, S sine, S cosine) {
        use(stride * m, sine);
        if (every_sine_has_its_cosine || first_cosine + stride * m < width) use(first_cosine + stride * m, cosine);
      });
    };
    if (layout == Layout::interleaved)
      in_layout(std::true_type{}, 1);
    else
      in_layout(std::false_type{}, inverse_frequency.size());
  }
};
POSLAB_SCHEME(Sinusoidal)
