// SPDX-License-Identifier: Apache-2.0
// Its formula is held by the golden cases of tests/golden/made.py. Dimension letters: H heads, K head width, N patches.
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

constexpr Index H = 2, K = 3, rows = 2, columns = 4, N = rows * columns;
const host::Context context{N, 512, false};
const data::Values parameters{{"grid", Value(std::vector<double>{rows, columns})}};
const host::Model model{H * K, H, 512};

Array<double> patches() {
  Array<double> out({N, 2});
  for (Index n = 0; n < N; ++n)
    out(n, 0) = static_cast<double>(n / columns), out(n, 1) = static_cast<double>(n % columns);
  return out;
}

}  // namespace

TEST_CASE("decomposed-relative: gradients are those of central differences, and the derived ones") {
  const auto scheme = check::scheme("decomposed-relative", parameters, model),
             derived = check::derived("decomposed-relative", parameters, model);
  auto weights = check::random_weights(*scheme, "w");
  auto q = check::random({H, N, K}, "q");
  const auto k = check::random({H, N, K}, "k"), seed = check::random({H, N, N}, "g"), positions = patches();
  const host::Tile tile{positions, positions};
  const auto loss = [&] {
    Array<double> logits({H, N, N});
    scheme->score<double>(context, tile, {{}, q, k, 0.5}, std::as_const(weights).layer(0), logits);
    return check::inner(logits, seed);
  };
  const auto gradients_of = [&](const host::Scheme& one) {
    std::pair<Array<double>, host::Weights<double>> by{Array<double>({H, N, K}),
                                                       host::Weights<double>(one.weights(), 1)};
    Array<double> by_k({H, N, K});
    one.score_gradient<double>(context, tile, {{}, q, k, 0.5}, std::as_const(weights).layer(0), seed,
                               {{}, by.first, by_k}, by.second.layer(0));
    for (const double number : by_k.flat()) CHECK(number == 0);
    return by;
  };
  const auto [by_q, by_weights] = gradients_of(*scheme);
  const auto [tape_q, by_tape] = gradients_of(*derived);
  CHECK(check::is_gradient(loss, q, by_q, 1e-8));
  CHECK(check::largest_difference(by_q, tape_q) < 1e-13);
  for (std::size_t w = 0; w < 2; ++w) {
    CHECK(check::is_gradient(loss, weights.arrays()[w][0], by_weights.arrays()[w][0], 1e-8));
    CHECK(check::largest_difference(by_weights.arrays()[w][0], by_tape.arrays()[w][0]) < 1e-13);
  }
}

TEST_CASE("decomposed-relative: patches beyond the tables are refused on either axis") {
  const auto scheme = check::scheme("decomposed-relative", parameters, model);
  const auto weights = check::random_weights(*scheme, "w");
  const auto q = check::random({H, 1, K}, "q");
  const auto scored = [&](double row, double column) {
    Array<double> positions({1, 2}), logits({H, 1, 1});
    positions(0, 0) = row, positions(0, 1) = column;
    scheme->score<double>(context, {positions, positions}, {{}, q, q, 1}, weights.layer(0), logits);
  };
  CHECK_NOTHROW(scored(1, 3));
  CHECK_THROWS_WITH(scored(2, 3), check::contains("the tables serve 2 rows, from 0; a patch lies at 2"));
  CHECK_THROWS(scored(0, 4));
  CHECK(scheme->weights()[0].shape == std::array<Index, 4>{2 * rows - 1, K, 1, 1});
  CHECK(scheme->weights()[1].per_layer);
}
