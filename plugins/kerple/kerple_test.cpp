// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};
constexpr Index H = 3;

std::unique_ptr<host::Scheme> kerple(const std::string& form) {
  return check::scheme("kerple", {{"form", Value(form)}}, {4 * H, H, 512});
}

template <class S>
host::Weights<S> weights_of(const host::Scheme& scheme, const std::vector<double>& a, const std::vector<double>& p) {
  host::Weights<S> weights(scheme.weights(), 1);
  for (std::size_t h = 0; h < a.size(); ++h) {
    weights.arrays()[0][0].data()[h] = static_cast<S>(a[h]);
    weights.arrays()[1][0].data()[h] = static_cast<S>(p[h]);
  }
  return weights;
}

template <class S>
Array<S> bias(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys,
              const host::Weights<S>& weights) {
  Array<S> out({H, queries.extent(0), keys.extent(0)});
  scheme.bias<S>(context, {queries, keys, 0}, weights.layer(0), out);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("kerple: both formulas, for any positions, with the published clamps", "", float, double) {
  using S = TestType;
  const std::string form = GENERATE("log", "power");
  const auto scheme = kerple(form);
  const std::vector<double> a{0.75, -3, 0.005}, p{1.25, 5, 0.001};  // of the second head, p is clamped for power only
  const auto weights = weights_of<S>(*scheme, a, p);
  for (const auto& [query_numbers, key_numbers] : std::vector<std::pair<std::vector<double>, std::vector<double>>>{
           {{2, 3, 4}, {0, 1, 2, 3, 4, 5}}, {{0, 7, 100}, {3, 50, 99}}, {{0.5, -2.25}, {0, 1.5, -8}}}) {
    const auto queries = check::positions(query_numbers), keys = check::positions(key_numbers);
    const Array<S> out = bias<S>(*scheme, queries, keys, weights);
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < queries.extent(0); ++i)
        for (Index j = 0; j < keys.extent(0); ++j) {
          const auto head = static_cast<std::size_t>(h);
          const double distance = std::max(queries(i, 0) - keys(j, 0), 0.0);
          const double strength = std::max(a[head], 0.01), exponent = std::max(p[head], 0.01);
          const double wanted = form == "log" ? -exponent * std::log(1 + strength * distance)
                                              : -strength * std::pow(distance, std::min(exponent, 2.0));
          // 1 + a d, rounded, costs the formula 1e-16 where a d is small.
          CHECK(static_cast<double>(out(h, i, j)) ==
                check::Approx(wanted).epsilon(sizeof(S) == 4 ? 1e-6 : 1e-14).margin(1e-15));
        }
  }
}

TEST_CASE("kerple: powers 1 and 2 are ALiBi and the Gaussian bias") {
  const auto scheme = kerple("power");
  const auto at = check::positions({9}), keys = check::consecutive(10);
  const auto out = bias<double>(*scheme, at, keys, weights_of<double>(*scheme, {0.25, 0.5, 1}, {1, 2, 2}));
  for (Index j = 0; j < 10; ++j) {
    const double distance = static_cast<double>(9 - j);
    CHECK(out(0, 0, j) == -0.25 * distance);
    CHECK(out(1, 0, j) == -0.5 * distance * distance);
  }
}

TEST_CASE("kerple: never rises with the distance, and is 0 at 0 and ahead, with drawn weights") {
  const auto scheme = kerple(GENERATE("log", "power"));
  const auto at = check::positions({1000000}), keys = check::positions({1000007, 1000000, 999999, 999990, 5, -1000000});
  const auto out = bias<double>(*scheme, at, keys, scheme->draw_weights(data::Draws(7, "test", "kerple", 0)));
  for (Index h = 0; h < H; ++h) {
    CHECK(out(h, 0, 0) == 0);
    CHECK(out(h, 0, 1) == 0);
    for (Index j = 2; j < keys.extent(0); ++j) CHECK(out(h, 0, j) < out(h, 0, j - 1));
  }
}

TEST_CASE("kerple: initial weights, claims, masks") {
  const auto scheme = kerple(GENERATE("log", "power"));
  REQUIRE(scheme->weights().size() == 2);
  for (const std::size_t w : {0U, 1U}) {
    CHECK(scheme->weights()[w].initialisation == POSLAB_UNIFORM);
    CHECK(scheme->weights()[w].first == 0);
    CHECK(scheme->weights()[w].second == (w == 0 ? 1 : 2));
    CHECK_FALSE(scheme->weights()[w].per_layer);
  }
  CHECK(scheme->claims(POSLAB_RELATIVE));
  CHECK(scheme->claims(POSLAB_CONTENT_FREE));
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
  CHECK_FALSE(scheme->claims(POSLAB_SYMMETRIC));
  CHECK(scheme->mask() == host::Mask::any);
}

TEST_CASE("kerple: what cannot be clamped is refused") {
  const auto make = [](double eps, double p_max) {
    check::scheme("kerple", {{"eps", Value(eps)}, {"p_max", Value(p_max)}}, {4, 2, 512});
  };
  CHECK_THROWS_WITH(make(1.5, 1.5), check::contains("eps must be less than p_max, which is 1.5"));
  CHECK_THROWS_WITH(make(0, 2), check::contains("\"eps\" is 0"));
  CHECK_THROWS_WITH(make(0.01, 2.5), check::contains("\"p_max\" is 2.5"));
}

TEST_CASE("kerple: its gradient is that of central differences, and 0 where a weight is clamped") {
  const auto scheme = kerple(GENERATE("log", "power"));
  auto weights = weights_of<double>(*scheme, {0.75, 0.3, 0.004}, {1.25, 0.4, 0.002});
  const auto queries = check::positions({5, 0, 11, 2.5}), keys = check::consecutive(12);
  const auto by_bias = check::random({H, 4, 12}, "gradient");
  const auto loss = [&] { return check::inner(bias<double>(*scheme, queries, keys, weights), by_bias); };
  host::Weights<double> gradient(scheme->weights(), 1);
  scheme->bias_gradient<double>(context, {queries, keys, 0}, std::as_const(weights).layer(0), by_bias,
                                gradient.layer(0));
  for (std::size_t w = 0; w < 2; ++w) {
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], gradient.arrays()[w][0]));
    CHECK(gradient.arrays()[w][0].data()[2] == 0);
  }
}
