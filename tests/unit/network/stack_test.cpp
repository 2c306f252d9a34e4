// SPDX-License-Identifier: Apache-2.0
// The random stack by its definition: plain products, attention one query at a time, one sequence after the other.
// Dimension letters: B sequences, T tokens, D model width, H heads, K head width, F feed-forward width.
#include "poslab/network/stack.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "poslab/attention/attention.hpp"
#include "shipped.hpp"
#include "tiny.hpp"

namespace {

using namespace poslab;
using namespace poslab::network;
using base::Stream;

constexpr Index D = 12, H = 3, K = D / H;

std::vector<double> normed(const std::vector<double>& x) {
  double mean = 0, variance = 0;
  for (const double number : x) mean += number / double(D);
  for (const double number : x) variance += (number - mean) * (number - mean) / double(D);
  std::vector<double> z;
  for (const double number : x) z.push_back((number - mean) / std::sqrt(variance + 1e-5));
  return z;
}

std::vector<double> product(const Array<double>& weight, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(weight.extent(0)), 0.0);
  for (Index o = 0; o < weight.extent(0); ++o)
    for (Index i = 0; i < weight.extent(1); ++i)
      y[static_cast<std::size_t>(o)] += weight(o, i) * x[static_cast<std::size_t>(i)];
  return y;
}

// One sequence through one layer.
void run_layer(const host::Scheme& scheme, const host::Weights<double>& weights, const StackWeights<double>& layer,
               Index index, bool causal, View<const double> positions, std::vector<std::vector<double>>& x) {
  const Index T = positions.shape[0];
  Array<double> input{T, D}, query{H, T, K}, key{H, T, K}, value{H, T, K}, out{H, T, K};
  for (Index t = 0; t < T; ++t) {
    const std::vector<double> z = normed(x[static_cast<std::size_t>(t)]), q = product(layer.query, z),
                              k = product(layer.key, z), v = product(layer.value, z);
    for (Index c = 0; c < D; ++c) {
      const auto at = static_cast<std::size_t>(c);
      input(t, c) = z[at];
      query(c / K, t, c % K) = q[at] / std::sqrt(double(K)) / scheme.logit_scale();
      key(c / K, t, c % K) = k[at];
      value(c / K, t, c % K) = v[at];
    }
  }
  attention::attend_reference<double>({&scheme, {T, T, causal}, positions, weights.of_layer(index), index},
                                      {query, key, input}, value, out);
  for (Index t = 0; t < T; ++t) {
    std::vector<double>& stream = x[static_cast<std::size_t>(t)];
    std::vector<double> mixed;
    for (Index c = 0; c < D; ++c) mixed.push_back(out(c / K, t, c % K));
    const std::vector<double> written = product(layer.output, mixed);
    for (std::size_t c = 0; c < stream.size(); ++c) stream[c] += written[c];
    if (layer.up.size() == 0) continue;
    std::vector<double> hidden = product(layer.up, normed(stream));
    for (double& number : hidden) number = number > 0 ? number : 0;
    const std::vector<double> more = product(layer.down, hidden);
    for (std::size_t c = 0; c < stream.size(); ++c) stream[c] += more[c];
  }
}

struct Setting {
  std::string id;
  Index B, T, F;
  bool causal;
  std::uint64_t seed;
};

// False where the scheme does not serve the mask.
bool compare(const Setting& s, int layers) {
  const host::Scheme scheme(host::Plugin::open(std::string(POSLAB_PLUGIN_DIR "/") + s.id + ".so"), {}, {D, H, s.T});
  if (!scheme.why_not_mask(s.causal).empty()) return false;
  const data::Draws draws(s.seed, "stack", s.id, 0);
  const host::Weights<double> weights = scheme.draw_weights(draws, layers);
  const Array<double> content = draws.normal("content", {s.B, s.T, D}), positions = tiny::positions(&scheme, s.T);
  Stack<double> stack(scheme, {s.B, s.T, s.F, s.causal}, positions, weights, content);
  std::vector<std::vector<std::vector<double>>> naive;
  Array<double> codes{s.T, D};
  if (scheme.has(host::Operation::encode))
    scheme.encode<double>({s.T, s.T, s.causal}, positions, weights.of_layer(0), codes);
  for (Index b = 0; b < s.B; ++b) {
    naive.emplace_back();
    for (Index t = 0; t < s.T; ++t) {
      naive.back().emplace_back();
      for (Index c = 0; c < D; ++c) naive.back().back().push_back(content(b, t, c) + codes(t, c));
    }
  }
  for (Index l = 0; l < layers; ++l) {
    const StackWeights<double> layer = draw_stack_weights<double>(draws, l, D, s.F);
    stack.step(layer);
    for (auto& sequence : naive)
      run_layer(scheme, weights, layer, l, s.causal, std::as_const(positions).view(), sequence);
  }
  for (Index b = 0; b < s.B; ++b)
    for (Index t = 0; t < s.T; ++t)
      for (Index c = 0; c < D; ++c)
        REQUIRE_THAT(
            stack.stream()(b, t, c),
            check::WithinAbs(
                naive[static_cast<std::size_t>(b)][static_cast<std::size_t>(t)][static_cast<std::size_t>(c)], 1e-11));
  return true;
}

}  // namespace

TEST_CASE("a random stack is its definition, in 1000 small cases") {
  const std::vector<std::string> ids{"none", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw", "fox"};
  const Stream draw("stacks");
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto below = [&](std::uint64_t which, std::uint64_t n) {
      return static_cast<Index>(draw.below(5 * i + which, n));
    };
    const Setting setting{ids[i % ids.size()], 1 + below(0, 3), 1 + below(1, 5), below(2, 3) * 5, below(3, 2) == 1, i};
    CAPTURE(i, setting.id, setting.B, setting.T, setting.F, setting.causal);
    compare(setting, static_cast<int>(1 + below(4, 2)));
  }
}

TEST_CASE("a random stack of more rows than a tile, for every scheme that is served") {
  std::size_t served = 0;
  for (const std::string& id : shipped_schemes()) {
    CAPTURE(id);
    try {
      served += compare({id, 3, 140, 6, true, 7}, 2);
    } catch (const poslab::base::Error&) {  // odd head widths, other axes
    }
  }
  CHECK(served > 25);
}

TEST_CASE("a random stack: the same bits on 1, 2 and 8 threads; weights are He's and do not hang on the scheme") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), {}, {D, H, 50});
  const data::Draws draws(3, "stack", "rope", 0);
  const host::Weights<double> weights;
  const Array<double> content = draws.normal("content", {9, 50, D}), positions = tiny::positions(&scheme, 50);
  std::vector<std::vector<double>> streams;
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      Stack<double> stack(scheme, {9, 50, 24, true}, positions, weights, content);
      for (Index l = 0; l < 3; ++l) stack.step(draw_stack_weights<double>(draws, l, D, 24));
      streams.emplace_back(stack.stream().begin(), stack.stream().end());
    });
  }
  CHECK(streams[0] == streams[1]);
  CHECK(streams[0] == streams[2]);
  const StackWeights<double> one = draw_stack_weights<double>(draws, 0, 200, 300),
                             other = draw_stack_weights<double>(data::Draws(3, "stack", "none", 0), 0, 200, 300);
  CHECK(std::equal(one.up.data(), one.up.data() + one.up.size(), other.up.data()));
  const auto variance = [](const Array<double>& weight) {
    double squares = 0;
    for (const double number : weight.flat()) squares += number * number / static_cast<double>(weight.size());
    return squares;
  };
  CHECK_THAT(variance(one.query), check::WithinRel(1.0 / 200, 0.03));
  CHECK_THAT(variance(one.up), check::WithinRel(2.0 / 200, 0.03));
  CHECK_THAT(variance(one.down), check::WithinRel(2.0 / 300, 0.03));
}
