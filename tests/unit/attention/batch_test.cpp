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
  base::Array<double> query = before_q.copy(), key = before_k.copy(), moved = value.copy(), out{B, N, D};
  const Layer<double> layer{&subject.scheme, {N, 300, causal}, positions, subject.layer(1), 1};
  attention::BatchAttention<double> batch(&subject.scheme, {B, H, N, K}, attention::Gradient::none);
  batch.transform(layer, query, key, moved);
  batch.forward(layer, {query, key, moved, input}, out);
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
  for (const char* id : {"none", "t5", "shaw", "rope", "value-rope"}) {
    compare_with_definition(id, 11, 5, false);
    compare_with_definition(id, 2, 131, true);
    compare_with_definition(id, 4, 300, true);  // more tiles than work at once
  }
}

TEST_CASE("a batch's gradient is linear in that of its output, also where only some tokens have one") {
  constexpr Index B = 2, H = 2, N = 70, K = 8, D = H * K;
  struct Gradients {
    base::Array<double> query{B, H, N, K}, key{B, H, N, K}, value{B, H, N, K}, input{B, N, D};
  };
  for (const char* id : {"none", "rope", "value-rope", "t5", "shaw", "cope", "fox"}) {
    const test::Subject<double> subject(id, {D, H, 300}, {}, 2);
    const base::Array<double> positions = test::positions(N), value = test::normal<double>("value", {B, H, N, K}),
                              input = test::normal<double>("input", {B, N, D}),
                              all = test::normal<double>("gradient", {B, N, D});
    const base::Array<double> before_q = test::normal<double>("query", {B, H, N, K}),
                              before_k = test::normal<double>("key", {B, H, N, K});
    base::Array<double> query = before_q.copy(), key = before_k.copy();  // the value as if it were transformed
    const Layer<double> layer{&subject.scheme, {N, 300, true}, positions, subject.layer(1), 1};
    attention::BatchAttention<double> batch(&subject.scheme, {B, H, N, K}, attention::Gradient::all);
    batch.transform(layer, query, key);
    const auto back = [&](auto counts) {
      base::Array<double> some{B, N, D};
      for (Index b = 0; b < B; ++b)
        for (Index n = 0; n < N; ++n)
          for (Index c = 0; c < D; ++c) some(b, n, c) = counts(b, n) ? all(b, n, c) : 0;
      Gradients out;
      std::vector<base::Array<double>> thrown_away;
      for (const host::WeightInfo& weight : subject.scheme.weights())
        thrown_away.emplace_back(weight.rank, weight.shape);
      std::vector<base::View<double>> views(thrown_away.begin(), thrown_away.end());
      batch.backward(layer, {query, key, value, input, before_q, before_k}, some,
                     {out.query, out.key, out.value, out.input}, views);
      return out;
    };
    const auto is_some = [](Index b, Index n) { return n == 69 || (n > 5 && n < 9) || (b == 1 && n == 30); };
    const Gradients whole = back([](Index, Index) { return true; }), some = back(is_some),
                    others = back([&](Index b, Index n) { return !is_some(b, n); }),
                    none = back([](Index, Index) { return false; });
    const auto difference = [](const base::Array<double>& a, const base::Array<double>& b,
                               const base::Array<double>& c) {
      double largest = 0;
      for (Index i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a.data()[i] - b.data()[i] - c.data()[i]));
      return largest;
    };
    CAPTURE(id);
    CHECK(difference(whole.query, some.query, others.query) < 1e-13);
    CHECK(difference(whole.key, some.key, others.key) < 1e-13);
    CHECK(difference(whole.value, some.value, others.value) < 1e-13);
    CHECK(difference(whole.input, some.input, others.input) < 1e-13);
    CHECK(std::all_of(none.key.flat().begin(), none.key.flat().end(), [](double number) { return number == 0; }));
    CHECK(std::any_of(some.key.flat().begin(), some.key.flat().end(), [](double number) { return number != 0; }));
  }
}
