// SPDX-License-Identifier: Apache-2.0
// Sandwich: the inner product of two sinusoidal codes as a bias, flatter in every further head; nothing is learned.
#include <poslab/scheme.hpp>

using namespace poslab;

struct Sandwich {
  static constexpr Card card{.id = "sandwich",
                             .title = "Sandwich bias",
                             .version = "1.0",
                             .paper = "Chi et al. 2023, arXiv:2212.10356",
                             .summary = "Inner products of sinusoidal codes, added to the logits.",
                             .formula = "logit += (sum_m cos((i - j) base^(-2m/d_bar)) - d_bar/2) / (8 (h + 1)/H)",
                             .real_positions = true};
  int d_bar, first_m;
  double base;
  bool subtract_half;
  static constexpr std::tuple params{
      integer(&Sandwich::d_bar, "d_bar", 128, between(2, 4096), "width of the codes whose products are taken, even")
          .usual({128, 64, 32, 16, 256, 512}),
      real(&Sandwich::base, "base", 1e4, above(0), "longest wavelength over 2 pi, about")
          .as(Role::base)
          .usual(usual_bases),
      integer(&Sandwich::first_m, "first_m", 1, between(0, 1), "where m starts: 1, or 0 as in the sinusoidal encoding")
          .usual({1, 0}),
      flag(&Sandwich::subtract_half, "subtract_half", true, "takes d_bar/2 off, so that distance 0 gets 0")};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free | bounded | symmetric);

  std::vector<double> frequencies;  // [d_bar / 2]
  int H;

  void prepare(const Model& m) {
    require(d_bar % 2 == 0, "sandwich needs an even d_bar, not ", d_bar);
    H = m.H;
    for (int n = first_m; n < first_m + d_bar / 2; ++n) frequencies.push_back(std::pow(base, -2.0 * n / d_bar));
  }

  template <class S>
  void bias(double offset, Row<S> heads) const {
    double sum = subtract_half ? -d_bar / 2.0 : 0;
    for_sines_and_cosines(offset, frequencies, [&](std::size_t, double, double cosine) { sum += cosine; });
    for (std::size_t h = 0; h < heads.size(); ++h) heads[h] = S(sum * H / (8.0 * static_cast<double>(h + 1)));
  }
};
POSLAB_SCHEME(Sandwich)
