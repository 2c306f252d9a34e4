// SPDX-License-Identifier: Apache-2.0
// The attention layer against its definition, against closed forms, and on any number of threads.
#include "poslab/attention/attention.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "schemes.hpp"

using namespace poslab;
using attention::Content;
using attention::Layer;
using test::Index;

namespace {

template <class S>
struct Inputs {
  base::Array<S> query, key, values, layer_input;
  Inputs(Index H, Index N, Index K)
      : query(test::normal<S>("query", {H, N, K})),
        key(test::normal<S>("key", {H, N, K})),
        values(test::normal<S>("value", {H, N, K})),
        layer_input(test::normal<S>("input", {N, H * K})) {}
  Content<S> content() const { return {query, key, layer_input}; }
};

// The attention of all tiles put together: [H, N, N].
template <class S>
base::Array<S> whole(const Layer<S>& layer, const Content<S>& content) {
  const Index H = content.query.shape[0], N = content.query.shape[1];
  base::Array<S> all{H, N, N};
  attention::attend<S>(layer, content, {}, {}, [&](Index, Index first, base::View<const S> seen) {
    for (Index h = 0; h < H; ++h)
      for (Index i = 0; i < seen.shape[1]; ++i)
        for (Index j = 0; j < seen.shape[2]; ++j) all(h, first + i, j) = seen(h, i, j);
  });
  return all;
}

template <class S>
void compare_with_definition(const std::string& id, Index N, bool causal, double tolerance) {
  CAPTURE(id, N, causal);
  const host::Model model{16, 2, 300};
  const test::Subject<S> subject(id, model, {}, 3);
  REQUIRE_FALSE(subject.scheme.why_not_mask(causal));
  const Inputs<S> in(2, N, 8);
  const base::Array<double> positions = test::positions(N);
  const Layer<S> layer{&subject.scheme, {N, 300, causal}, positions, subject.layer(2), 2};
  base::Array<S> out{2, N, 8}, expected{2, N, 8};
  attention::attend<S>(layer, in.content(), in.values, out);
  const base::Array<S> all = attention::attend_reference<S>(layer, in.content(), in.values, expected);
  CHECK(test::largest_difference<S>(out, expected) < tolerance);
  CHECK(test::largest_difference<S>(whole(layer, in.content()), all) < tolerance);
}

// Both masks, or the one that the scheme is for.
std::vector<bool> masks_of(const std::string& id) {
  const test::Subject<double> subject(id, {16, 2, 300});
  switch (subject.scheme.mask()) {
    case host::Mask::causal_only: return {true};
    case host::Mask::bidirectional_only: return {false};
    default: return {true, false};
  }
}

}  // namespace

TEST_CASE("attention: every scheme gives what the definition gives") {
  // All of them suit a causal mask: none is left out there.
  for (const std::string& id : test::all_schemes)
    REQUIRE_FALSE(test::Subject<double>(id, {16, 2, 300}).scheme.why_not_mask(true));
  for (const std::string& id : test::all_schemes)
    for (const bool causal : masks_of(id)) {
      for (const Index N : {1, 2, 7, 128, 150, 300}) compare_with_definition<double>(id, N, causal, 1e-12);
      compare_with_definition<float>(id, 150, causal, 1e-4);
    }
}

TEST_CASE("attention: a layer without a scheme is one with the scheme none") {
  const test::Subject<double> none("none", {16, 2, 300});
  const Inputs<double> in(2, 200, 8);
  const base::Array<double> positions = test::positions(200);
  base::Array<double> with{2, 200, 8}, without{2, 200, 8}, expected{2, 200, 8};
  attention::attend<double>({&none.scheme, {200, 300, true}, positions, {}}, in.content(), in.values, with);
  attention::attend<double>({nullptr, {200, 300, true}, positions, {}}, in.content(), in.values, without);
  attention::attend_reference<double>({nullptr, {200, 300, true}, positions, {}}, in.content(), in.values, expected);
  CHECK(test::largest_difference<double>(with, without) == 0);
  CHECK(test::largest_difference<double>(without, expected) < 1e-13);
}

TEST_CASE("attention: equal tokens share attention evenly without positions, geometrically under ALiBi") {
  const Index H = 8, N = 140, K = 4;
  const base::Array<double> positions = test::positions(N);
  base::Array<double> same{H, N, K}, out{H, N, K};
  for (Index i = 0; i < same.size(); ++i) same.data()[i] = 0.3 * static_cast<double>(i % K) - 0.5;
  const Content<double> content{same, same, {}};

  const base::Array<double> even = whole<double>({nullptr, {N, N, true}, positions, {}}, content);
  const test::Subject<double> alibi("alibi", {H * K, H, N});
  const base::Array<double> biased = whole<double>({&alibi.scheme, {N, N, true}, positions, {}}, content);
  double worst_even = 0, worst_biased = 0;
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) {
        const double r = std::exp(-std::exp2(-static_cast<double>(h + 1)));
        const double geometric = std::pow(r, i - j) * (1 - r) / (1 - std::pow(r, i + 1));
        worst_even = std::max(worst_even, std::abs(even(h, i, j) - (j <= i ? 1 / static_cast<double>(i + 1) : 0)));
        worst_biased = std::max(worst_biased, std::abs(biased(h, i, j) - (j <= i ? geometric : 0)));
      }
  CHECK(worst_even < 1e-15);
  CHECK(worst_biased < 1e-13);
  // What every key holds is what comes out.
  attention::attend<double>({&alibi.scheme, {N, N, true}, positions, {}}, content, same, out);
  CHECK(test::largest_difference<double>(out, same) < 1e-14);
}

TEST_CASE("attention: a given scale replaces the scheme's") {
  const test::Subject<double> t5("t5", {16, 2, 300});
  const Inputs<double> in(2, 5, 8);
  const base::Array<double> positions = test::positions(5);
  const Layer<double> own{&t5.scheme, {5, 300, true}, positions, t5.layer()};
  Layer<double> zero = own;
  zero.scale = 0;
  CHECK(test::largest_difference<double>(whole(own, in.content()), whole(zero, in.content())) > 0.1);
  const base::Array<double> bare = whole(zero, in.content());
  const base::View<const double> table = t5.layer()[0];
  const double from_bias = std::exp(table(1, 0)) / (std::exp(table(0, 0)) + std::exp(table(1, 0)));
  CHECK_THAT(bare(0, 1, 0), check::WithinAbs(from_bias, 1e-14));
}

TEST_CASE("attention: the same bits on 1, 2 and 8 threads") {
  const Inputs<double> in(2, 700, 8);
  const base::Array<double> positions = test::positions(700);
  const test::Subject<double> shaw("shaw", {16, 2, 300});
  const Layer<double> layer{&shaw.scheme, {700, 300, true}, positions, shaw.layer()};
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  std::vector<base::Array<double>> outs;
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena arena(threads);
    outs.push_back(base::Array<double>{2, 700, 8});
    arena.execute([&] { attention::attend<double>(layer, in.content(), in.values, outs.back()); });
  }
  CHECK(std::equal(outs[0].flat().begin(), outs[0].flat().end(), outs[1].flat().begin()));
  CHECK(std::equal(outs[0].flat().begin(), outs[0].flat().end(), outs[2].flat().begin()));
}
