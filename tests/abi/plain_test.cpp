// SPDX-License-Identifier: Apache-2.0
// A plugin that was written in plain C serves as well as any.
#include "scheme_check.hpp"

using namespace poslab;

TEMPLATE_TEST_CASE("a plugin in plain C is loaded, run and differentiated", "", float, double) {
  using S = TestType;
  const auto plugin = host::Plugin::open(POSLAB_ABI_DIR "/plain.so");
  CHECK(plugin->info().id == "plain");
  const host::Scheme scheme(plugin, {{"gain", check::Value(0.25)}}, {8, 2, 512});
  REQUIRE(scheme.has(host::Operation::bias));
  CHECK_FALSE(scheme.has(host::Operation::encode));
  CHECK(scheme.weights().at(0).first == 0.25);

  const auto queries = check::positions({1, 2}), keys = check::positions({0, 1, 2.5});
  host::Weights<S> weights(scheme.weights(), 1), gradients(scheme.weights(), 1);
  weights.arrays()[0][0].data()[0] = S(2);
  base::Array<S> out({2, 2, 3}), seed({2, 2, 3});
  const host::Tile tile{queries, keys, 1};
  const auto layer = std::as_const(weights).layer(0);
  scheme.bias<S>({3, 512, false}, tile, layer, out);
  double expected = 0;
  for (base::Index h = 0; h < 2; ++h)
    for (base::Index i = 0; i < 2; ++i)
      for (base::Index j = 0; j < 3; ++j) {
        const double distance = std::abs(queries(i, 0) - keys(j, 0));
        CHECK(out(h, i, j) == static_cast<S>(-2 * distance));
        seed(h, i, j) = static_cast<S>(h + 2 * i + j);
        expected -= static_cast<double>(seed(h, i, j)) * distance;
      }
  const auto to_add = gradients.layer(0);
  scheme.bias_gradient<S>({3, 512, false}, tile, layer, seed, to_add);
  CHECK(gradients.arrays()[0][0].data()[0] == check::Approx(expected));
}
