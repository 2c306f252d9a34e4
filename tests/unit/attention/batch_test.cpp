// SPDX-License-Identifier: Apache-2.0
// The attention of a batch against the definition, sequence by sequence.
#include "poslab/attention/batch.hpp"

#include "catch.hpp"
#include "schemes.hpp"

using namespace poslab;
using attention::Layer;
using test::Index;

namespace {

void compare_with_definition(const std::string& id, Index B, Index N, bool causal) {
  CAPTURE(id, B, N, causal);
  constexpr Index H = 2, K = 8, D = H * K;
  const test::Subject<double> subject(id, {D, H, 300}, {}, 2);
  const base::Array<double> positions = test::positions(N), value = test::normal<double>("value", {B, H, N, K}),
                            input = test::normal<double>("input", {B, N, D});
  const base::Array<double> before_q = test::normal<double>("query", {B, H, N, K}),
                            before_k = test::normal<double>("key", {B, H, N, K});
  base::Array<double> query = before_q.copy(), key = before_k.copy(), out{B, N, D};
  const Layer<double> layer{&subject.scheme, {N, 300, causal}, positions, subject.of_layer(1), 1};
  attention::BatchAttention<double> batch(&subject.scheme, {B, H, N, K}, false);
  batch.transform(layer, query, key);
  batch.forward(layer, {query, key, value, input}, out);
  for (Index b = 0; b < B; ++b) {
    base::Array<double> expected{H, N, K};
    attention::attend_reference<double>(layer, {before_q.view()[b], before_k.view()[b], input.view()[b]},
                                        value.view()[b], expected);
    double largest = 0;
    for (Index h = 0; h < H; ++h)
      for (Index n = 0; n < N; ++n)
        for (Index a = 0; a < K; ++a)
          largest = std::max(largest, std::abs(expected(h, n, a) - out.view()[b](n, h * K + a)));
    CHECK(largest < 1e-12);
  }
}

}  // namespace

TEST_CASE("a batch's attention is that of its sequences") {
  for (const std::string& id : test::all_schemes) compare_with_definition(id, 3, 7, true);
  for (const char* id : {"none", "t5", "shaw", "rope"}) {
    compare_with_definition(id, 11, 5, false);
    compare_with_definition(id, 2, 131, true);
  }
}
