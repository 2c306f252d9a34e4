// SPDX-License-Identifier: Apache-2.0
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};
constexpr Index H = 3;

data::Values parameters(std::int64_t dim, std::int64_t depth, bool log_distance) {
  return {{"dim", Value(dim)}, {"depth", Value(depth)}, {"log_distance", Value(log_distance)}};
}

template <class S>
Array<S> bias(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys,
              const host::Weights<S>& weights) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  scheme.bias<S>(context, {queries, keys, 0}, weights.layer(0), out);
  return out;
}

// Layer by layer in float64; every layer but the last ends in x sigmoid(x).
template <class S>
std::vector<double> network(const host::Weights<S>& weights, double x) {
  std::vector<double> in{x};
  const auto& arrays = weights.arrays();
  for (std::size_t layer = 0; 2 * layer < arrays.size(); ++layer) {
    const auto &weight = arrays[2 * layer][0], &constant = arrays[2 * layer + 1][0];
    std::vector<double> out;
    for (Index c = 0; c < weight.extent(0); ++c) {
      double sum = constant(c);
      for (std::size_t k = 0; k < in.size(); ++k) sum += static_cast<double>(weight(c, static_cast<Index>(k))) * in[k];
      out.push_back(2 * (layer + 1) == arrays.size() ? sum : sum / (1 + std::exp(-sum)));
    }
    in = out;
  }
  return in;
}

}  // namespace

TEMPLATE_TEST_CASE("dynamic-position-bias: the network of i - j or of its logarithm, whatever the depth", "", float,
                   double) {
  using S = TestType;
  const std::int64_t depth = GENERATE(1, 2, 4);
  const bool logarithm = GENERATE(false, true);
  const auto scheme = check::scheme("dynamic-position-bias", parameters(5, depth, logarithm), {4 * H, H, 512});
  REQUIRE(scheme->weights().size() == static_cast<std::size_t>(2 * depth + 2));
  const auto weights = check::random_weights<S>(*scheme, "layers");
  const auto queries = check::positions({0, 3, 7.5});
  for (const auto& keys : {check::consecutive(9), check::positions({-40, 0.25, 7.5, 90})}) {
    const Array<S> out = bias<S>(*scheme, queries, keys, weights);
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < keys.extent(0); ++j) {
        const double back = queries(i, 0) - keys(j, 0);
        const auto wanted = network(weights, logarithm ? std::copysign(std::log(1 + std::abs(back)), back) : back);
        for (Index h = 0; h < H; ++h)
          CHECK(static_cast<double>(out(h, i, j)) == check::Approx(wanted[static_cast<std::size_t>(h)])
                                                         .epsilon(sizeof(S) == 4 ? 1e-4 : 1e-12)
                                                         .margin(sizeof(S) == 4 ? 1e-3 : 1e-12));
      }
  }
}

TEST_CASE("dynamic-position-bias: tells left from right, and stays finite far away") {
  const auto scheme = check::scheme("dynamic-position-bias", parameters(5, 2, false), {4 * H, H, 512});
  const auto weights = check::random_weights<float>(*scheme, "layers");
  const auto out = bias<float>(*scheme, check::positions({0}), check::positions({1, -1, 1e6, -1e6}), weights);
  for (Index h = 0; h < H; ++h) {
    CHECK(out(h, 0, 0) != out(h, 0, 1));
    CHECK(std::isfinite(out(h, 0, 2)));
    CHECK(std::isfinite(out(h, 0, 3)));
  }
}

TEST_CASE("dynamic-position-bias: the width follows the model, claims, what is refused") {
  const auto scheme = check::scheme("dynamic-position-bias", {}, {32, 4, 512});
  REQUIRE(scheme->weights().size() == 6);
  CHECK(scheme->weights()[2].name == "weight_1");
  CHECK(scheme->weights()[2].shape == std::array<Index, 4>{8, 8, 1, 1});
  CHECK(scheme->weights()[0].second == 1);
  CHECK(scheme->weights()[4].second == 1 / std::sqrt(8.0));
  CHECK(check::scheme("dynamic-position-bias", {}, {2, 2, 512})->weights()[0].shape[0] == 1);
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_SYMMETRIC));
  CHECK_THROWS_WITH(check::scheme("dynamic-position-bias", parameters(5, 0, false), {32, 4, 512}),
                    check::contains("\"depth\" is 0"));
}

TEST_CASE("dynamic-position-bias: its gradient is that of central differences") {
  const auto scheme =
      check::scheme("dynamic-position-bias", parameters(4, GENERATE(1, 3), GENERATE(false, true)), {4 * H, H, 512});
  auto weights = check::random_weights(*scheme, "layers");
  const auto queries = check::positions({0, 3, 5}), keys = check::positions({2, 0, 9, 5});
  const auto by_bias = check::random({H, 3, 4}, "gradient");
  host::Weights<double> gradient(scheme->weights(), 1);
  scheme->bias_gradient<double>(context, {queries, keys, 0}, std::as_const(weights).layer(0), by_bias,
                                gradient.layer(0));
  const auto loss = [&] { return check::inner(bias<double>(*scheme, queries, keys, weights), by_bias); };
  for (std::size_t w = 0; w < weights.arrays().size(); ++w)
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
}

TEST_CASE("dynamic-position-bias: far away its gradient is finite") {
  const auto scheme = check::scheme("dynamic-position-bias", parameters(4, 2, false), {4 * H, H, 512});
  const auto weights = check::random_weights(*scheme, "layers");
  const auto query = check::positions({0}), keys = check::positions({1e6, -1e6});
  host::Weights<double> gradient(scheme->weights(), 1);
  const auto by_bias = check::random({H, 1, 2}, "gradient");
  scheme->bias_gradient<double>(context, {query, keys, 0}, weights.layer(0), by_bias, gradient.layer(0));
  for (const auto& array : gradient.arrays())
    for (const double x : array[0].flat()) CHECK(std::isfinite(x));
}
