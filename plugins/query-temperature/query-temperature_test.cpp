// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

std::unique_ptr<host::Scheme> scheme_of(const char* form, data::Values parameters = {}) {
  parameters.set("form", Value(std::string(form)));
  return check::scheme("query-temperature", parameters, {8, 2, 512});
}
double factor(const host::Scheme& scheme, double position) {
  const auto weights = scheme.draw_weights(data::Draws(1, "query-temperature", "", 0));
  Array<double> x({2, 1, 4});
  for (double& number : x.flat()) number = 1;
  scheme.transform<double>(context, host::Side::query, check::positions({position}), weights.layer(0), x);
  return x(1, 0, 3);
}

}  // namespace

TEST_CASE(
    "query-temperature: the first position that is stretched is 8191 in Llama 4, the train length in Ministral 3") {
  const auto llama = scheme_of("llama4"), ministral = scheme_of("ministral3");
  CHECK(factor(*llama, 8190) == 1);
  CHECK_THAT(factor(*llama, 8191), check::WithinAbs(1 + 0.1 * std::log(2), 1e-15));
  CHECK(factor(*ministral, 511) == 1);
  CHECK_THAT(factor(*ministral, 512), check::WithinAbs(1 + 0.1 * std::log(2), 1e-15));
  CHECK(llama->claims(POSLAB_LENGTH_FREE));
  CHECK_FALSE(ministral->claims(POSLAB_LENGTH_FREE));
}

TEST_CASE("query-temperature: ssmax counts the keys that a causal query sees, and trains its scale") {
  const auto scheme = scheme_of("ssmax");
  CHECK(factor(*scheme, 0) == 0);
  CHECK_THAT(factor(*scheme, std::exp(2) - 1), check::WithinAbs(0.86, 1e-14));
  auto weights = check::random_weights(*scheme, "w");
  auto x = check::random({2, 3, 4}, "x");
  const auto seed = check::random({2, 3, 4}, "g"), positions = check::positions({0, 5, 80});
  const auto loss = [&] {
    Array<double> out = x.copy();
    scheme->transform<double>(context, host::Side::query, positions, std::as_const(weights).layer(0), out);
    return check::inner(out, seed);
  };
  Array<double> by_x = seed.copy();
  host::Weights<double> by_s(scheme->weights(), 1);
  scheme->transform_gradient<double>(context, host::Side::query, positions, std::as_const(weights).layer(0), by_x,
                                     by_s.layer(0), x);
  CHECK(check::is_gradient(loss, x, by_x, 1e-8));
  CHECK(check::is_gradient(loss, weights.arrays()[0][0], by_s.arrays()[0][0], 1e-8));
}
