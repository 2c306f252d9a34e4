// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

host::Weights<double> weights_of(const host::Scheme& scheme, const std::vector<std::vector<double>>& numbers) {
  host::Weights<double> weights(scheme.weights(), 1);
  for (std::size_t w = 0; w < numbers.size(); ++w)
    std::copy(numbers[w].begin(), numbers[w].end(), weights.arrays()[w][0].data());
  return weights;
}

Array<double> bias(const host::Scheme& scheme, Index H, const Array<double>& queries, const Array<double>& keys,
                   const host::Weights<double>& weights) {
  Array<double> out({H, queries.extent(0), keys.extent(0)});
  scheme.bias<double>(context, {queries, keys, 0}, weights.layer(0), out);
  return out;
}

}  // namespace

TEST_CASE("bam: with its slopes and beta = 1 it is ALiBi, less what eps takes off every logit of a head alike") {
  const Index H = GENERATE(1, 6, 8);
  const host::Model model{4 * static_cast<int>(H), static_cast<int>(H), 512};
  const auto scheme = check::scheme("bam", {{"slopes", Value(std::string("alibi"))}, {"beta_init", Value(1.0)}}, model),
             alibi = check::scheme("alibi", {{"form", Value(std::string("symmetric"))}}, model);
  const auto positions = check::consecutive(40);
  const auto weights = scheme->draw_weights(data::Draws(7, "test", "bam", 0));
  const auto ours = bias(*scheme, H, positions, positions, weights),
             linear = bias(*alibi, H, positions, positions, host::Weights<double>(alibi->weights(), 1));
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 40; ++j)
        CHECK_THAT(ours(h, i, j) - ours(h, 0, 0), check::WithinAbs(linear(h, i, j), 1e-14));
}

TEST_CASE("bam: beta = 0 is uniform, beta = 2 a parabola about the middle, beta < 0 a push away from it") {
  const auto scheme = check::scheme("bam", {{"eps", Value(1e-12)}}, {12, 3, 512});
  const double mu = std::asinh(-2.0);  // e^mu - e^-mu = 2 sinh(mu) = -4
  const auto weights = weights_of(*scheme, {{0.5, std::log(0.25), 0}, {0, 2, -1}, {0, mu, mu}});
  const auto out = bias(*scheme, 3, check::positions({9}), check::consecutive(10), weights);
  for (Index j = 0; j < 10; ++j) {
    const double from_middle = static_cast<double>(j) - 5;
    CHECK_THAT(out(0, 0, j), check::WithinAbs(-std::exp(0.5), 1e-15));
    CHECK_THAT(out(1, 0, j), check::WithinAbs(-0.25 * from_middle * from_middle, 1e-10));
    if (j != 5) CHECK_THAT(out(2, 0, j), check::WithinAbs(-1 / std::abs(from_middle), 1e-10));
  }
  CHECK(out(2, 0, 5) < -1e10);
}

TEST_CASE("bam: gradients are those of central differences") {
  constexpr Index H = 3;
  const auto scheme = check::scheme("bam", {}, {4 * H, H, 512});
  auto weights =
      weights_of(*scheme, {{0.2, -0.3, 1}, {1.2, 0.4, -0.5}, {0.1, -0.6, 0.12}});  // the kink lies at no offset
  const auto queries = check::positions({5, 0, 11, 2.5}), keys = check::consecutive(12);
  const auto by_bias = check::random({H, 4, 12}, "gradient");
  const auto loss = [&] { return check::inner(bias(*scheme, H, queries, keys, weights), by_bias); };
  host::Weights<double> gradient(scheme->weights(), 1);
  scheme->bias_gradient<double>(context, {queries, keys, 0}, std::as_const(weights).layer(0), by_bias,
                                gradient.layer(0));
  for (std::size_t w = 0; w < 3; ++w) CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
}

TEST_CASE("bam: as it begins it has no positions") {
  const auto scheme = check::scheme("bam", {}, {12, 3, 512});
  const auto positions = check::consecutive(20);
  const auto out = bias(*scheme, 3, positions, positions, scheme->draw_weights(data::Draws(7, "test", "bam", 0)));
  for (Index n = 0; n < out.size(); ++n) CHECK(out.data()[n] == -1);
}

TEST_CASE("bam: initial weights, and which of them training moves") {
  const bool train_mu = GENERATE(false, true);
  const auto scheme = check::scheme(
      "bam", {{"alpha_init", Value(0.5)}, {"beta_init", Value(0.25)}, {"train_mu", Value(train_mu)}}, {8, 2, 512});
  const double wanted[] = {0.5, 0.25, 0};
  REQUIRE(scheme->weights().size() == 3);
  for (std::size_t w = 0; w < 3; ++w) {
    CHECK(scheme->weights()[w].initialisation == POSLAB_CONSTANT);
    CHECK(scheme->weights()[w].first == wanted[w]);
    CHECK(scheme->weights()[w].frozen == (w == 2 && !train_mu));
    CHECK(scheme->weights()[w].per_layer);
  }
}
