// SPDX-License-Identifier: Apache-2.0
// The stack by its definition: plain products, attention one query at a time, one sequence after the other.
// Dimension letters: B sequences, T tokens, D model width, H heads, K head width, F feed-forward width.
#include "poslab/network/stack.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "poslab/attention/attention.hpp"
#include "poslab/network/random_layers.hpp"
#include "scheme_check.hpp"
#include "shipped.hpp"
#include "thousand.hpp"
#include "tiny.hpp"

namespace {

using namespace poslab;
using namespace poslab::network;
using base::Stream;

constexpr Index D = 12, H = 3, K = D / H;
using Row = std::vector<double>;
using Rows = std::vector<Row>;
using Layer = StackLayer<double>;
using Arrays = LayerOf<View<const double>>;

Row normed(const StackOptions& options, const Affine<View<const double>>& w, const Row& x) {
  double mean = 0, variance = 0;
  if (options.norm == Norm::layer)
    for (const double number : x) mean += number / double(D);
  for (const double number : x) variance += (number - mean) * (number - mean) / double(D);
  Row z;
  for (const double number : x) {
    const auto c = static_cast<Index>(z.size());
    z.push_back((number - mean) / std::sqrt(variance + options.epsilon));
    if (w.weight.data) z.back() *= w.weight(c);
    if (w.bias.data) z.back() += w.bias(c);
  }
  return z;
}

Row linear(const Affine<View<const double>>& w, const Row& x) {
  if (!w.weight.data) return x;
  Row y(static_cast<std::size_t>(w.weight.shape[0]), 0.0);
  for (Index o = 0; o < w.weight.shape[0]; ++o) {
    if (w.bias.data) y[static_cast<std::size_t>(o)] = w.bias(o);
    for (Index i = 0; i < w.weight.shape[1]; ++i)
      y[static_cast<std::size_t>(o)] += w.weight(o, i) * x[static_cast<std::size_t>(i)];
  }
  return y;
}

void write(const StackOptions& options, const Row& made, Row& x) {
  for (std::size_t c = 0; c < x.size(); ++c) x[c] = (options.residual ? x[c] : 0) + made[c];
}

// One sequence through one layer.
void run_layer(const StackOptions& options, const Layer& layer, Index index, View<const double> positions, Rows& x) {
  const Index T = positions.shape[0];
  Array<double> input{T, D}, query{H, T, K}, key{H, T, K}, value{H, T, K}, out{H, T, K};
  for (Index t = 0; t < T; ++t) {
    const Row z = normed(options, layer.arrays.norm1, x[static_cast<std::size_t>(t)]),
              q = linear(layer.arrays.query, z), k = linear(layer.arrays.key, z), v = linear(layer.arrays.value, z);
    for (Index c = 0; c < D; ++c) {
      const auto at = static_cast<std::size_t>(c);
      input(t, c) = z[at];
      query(c / K, t, c % K) = q[at] * layer.query_factor;
      key(c / K, t, c % K) = k[at];
      value(c / K, t, c % K) = v[at];
    }
  }
  attention::attend_reference<double>(
      {layer.scheme, {T, options.train_length, options.causal}, positions, layer.arrays.scheme, index},
      {query, key, input}, value, out);
  for (Index t = 0; t < T; ++t) {
    Row& stream = x[static_cast<std::size_t>(t)];
    Row mixed;
    for (Index c = 0; c < D; ++c) mixed.push_back(out(c / K, t, c % K));
    write(options, linear(layer.arrays.output, mixed), stream);
    if (options.feed_forward == 0) continue;
    Row hidden = linear(layer.arrays.up, normed(options, layer.arrays.norm2, stream));
    for (double& number : hidden)
      number = options.activation == Activation::relu ? std::max(number, 0.0)
                                                      : number * 0.5 * std::erfc(-number / std::sqrt(2.0));
    write(options, linear(layer.arrays.down, hidden), stream);
  }
}

// Contents [B, T, D] with what the first scheme encodes, as rows of sequences.
std::vector<Rows> rows_of(View<const double> content, const StackOptions& options, const Layer& first,
                          View<const double> positions) {
  const Index B = content.shape[0], T = content.shape[1];
  Array<double> codes{T, D};
  if (first.scheme && first.scheme->has(host::Operation::encode))
    first.scheme->encode<double>({T, options.train_length, options.causal}, positions, first.arrays.scheme, codes);
  std::vector<Rows> rows(static_cast<std::size_t>(B), Rows(static_cast<std::size_t>(T)));
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index c = 0; c < D; ++c)
        rows[static_cast<std::size_t>(b)][static_cast<std::size_t>(t)].push_back(content(b, t, c) + codes(t, c));
  return rows;
}

// The largest difference between a stack and its definition.
double difference(const StackOptions& options, const std::vector<Layer>& layers, View<const double> content,
                  View<const double> positions, Index kept) {
  const Index B = content.shape[0], T = content.shape[1];
  std::vector<const host::Scheme*> schemes;
  for (const Layer& layer : layers) schemes.push_back(layer.scheme);
  Stack<double> stack(options, host::LayerSchemes(schemes), {B, T, kept});
  std::copy(content.begin(), content.end(), stack.begin(B, T, positions).begin());
  stack.encode(layers.front().scheme, layers.front().arrays.scheme);
  std::vector<Rows> naive = rows_of(content, options, layers.front(), positions);
  for (const Layer& layer : layers) {
    stack.step(layer);
    for (Rows& sequence : naive) run_layer(options, layer, &layer - layers.data(), positions, sequence);
  }
  double largest = 0;
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index c = 0; c < D; ++c)
        largest = std::max(
            largest,
            std::abs(stack.stream()(b, t, c) -
                     naive[static_cast<std::size_t>(b)][static_cast<std::size_t>(t)][static_cast<std::size_t>(c)]));
  return largest;
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
  if (scheme.why_not_mask(s.causal)) return false;
  const data::Draws draws(s.seed, "stack", s.id, 0);
  const host::Weights<double> weights = scheme.draw_weights(draws, layers);
  const Array<double> content = draws.normal("content", {s.B, s.T, D}), positions = tiny::positions(&scheme, s.T);
  const StackOptions options = random_stack(scheme.model(), s.T, s.F, s.causal);
  std::vector<RandomLayer<double>> drawn;
  std::vector<Layer> with;
  for (Index l = 0; l < layers; ++l) drawn.push_back(draw_random_layer<double>(draws, l, options));
  for (Index l = 0; l < layers; ++l) with.push_back(drawn[static_cast<std::size_t>(l)].with(scheme, weights.layer(l)));
  for (const Index kept : {0, layers}) {
    const double apart = difference(options, with, content, positions, kept);
    REQUIRE(apart < 1e-11);
  }
  return true;
}

// All arrays that a layer may have, drawn.
struct FullLayer {
  FullLayer(const data::Draws& draws, Index layer, Index F) {
    const auto make = [&](const char* name, std::initializer_list<Index> extents) {
      arrays.push_back(draws.normal(name + std::to_string(layer), extents));
      for (double& number : arrays.back().flat()) number *= 0.4;
      return View<const double>(arrays.back().view());
    };
    const auto both = [&](const char* name, Index out, Index in) {
      return Affine<View<const double>>{make(name, {out, in}), make(name, {out})};
    };
    const auto norm = [&](const char* name) {
      return Affine<View<const double>>{make(name, {D}), make((std::string(name) + "bias").c_str(), {D})};
    };
    all = {norm("norm1"),
           both("query", D, D),
           both("key", D, D),
           both("value", D, D),
           both("output", D, D),
           norm("norm2"),
           both("up", F, D),
           both("down", D, F > 0 ? F : 1),
           {}};
  }
  std::vector<Array<double>> arrays;
  Arrays all;
};

}  // namespace

TEST_CASE("a stack is its definition, whatever its layers leave out and whichever schemes they have") {
  const Index B = 2, T = 9;
  const auto open = [](const char* id) {
    return std::make_unique<host::Scheme>(host::Plugin::open(std::string(POSLAB_PLUGIN_DIR "/") + id + ".so"),
                                          data::Values{}, host::Model{D, H, T});
  };
  const std::unique_ptr<host::Scheme> schemes[] = {open("rope"), nullptr, open("t5"), open("alibi")};
  const data::Draws draws(5, "stack", "", 0);
  const Array<double> content = draws.normal("content", {B, T, D}), positions = tiny::positions(nullptr, T);
  for (Index bits = 0; bits < 64; ++bits) {
    const auto has = [&](int bit) { return (bits >> bit) % 2 == 1; };
    CAPTURE(bits);
    const StackOptions options{.model_width = D,
                               .heads = H,
                               .feed_forward = has(0) ? 10 : 0,
                               .train_length = T,
                               .causal = has(1),
                               .residual = has(2),
                               .norm = has(3) ? Norm::rms : Norm::layer,
                               .epsilon = has(3) ? 0 : 1e-5,
                               .activation = has(4) ? Activation::relu : Activation::gelu_exact};
    std::vector<FullLayer> full;
    std::vector<host::Weights<double>> weights;
    std::vector<Layer> layers;
    for (Index l = 0; l < 4; ++l) {
      const host::Scheme* scheme = options.causal || l != 3 ? schemes[l].get() : nullptr;  // ALiBi needs a mask
      FullLayer& drawn = full.emplace_back(draws, l, options.feed_forward);
      Layer& layer = layers.emplace_back(Layer{scheme, drawn.all, has(5) ? 1 : 0.7});
      if (scheme) layer.arrays.scheme = std::as_const(weights.emplace_back(scheme->draw_weights(draws, 4))).layer(l);
      if (has(5)) layer.arrays.output = {};
      if (has(4)) layer.arrays.norm1 = layer.arrays.norm2 = {};
      if (has(4)) layer.arrays.query.bias = layer.arrays.down.bias = {};
    }
    for (const Index kept : {0, 4}) REQUIRE(difference(options, layers, content, positions, kept) < 1e-11);
  }
}

TEST_CASE("a random stack is its definition, in 1000 small cases") {
  const std::vector<std::string> ids{"none", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw", "fox"};
  const Stream draw("stacks");
  for (std::uint64_t i = 0; i < check::thousand; ++i) {
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

TEST_CASE("a random stack: the same bits on 1, 2 and 8 threads, weights are He's and do not hang on the scheme") {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), {}, {D, H, 50});
  const data::Draws draws(3, "stack", "rope", 0);
  const StackOptions options = random_stack(scheme.model(), 50, 24, true);
  const Array<double> content = draws.normal("content", {9, 50, D}), positions = tiny::positions(&scheme, 50);
  std::vector<std::vector<double>> streams;
  for (const int threads : {1, 2, 8}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      Stack<double> stack(options, {&scheme}, {9, 50});
      std::copy(content.flat().begin(), content.flat().end(), stack.begin(9, 50, positions).begin());
      for (Index l = 0; l < 3; ++l) stack.step(draw_random_layer<double>(draws, l, options).with(scheme, {}));
      streams.emplace_back(stack.stream().begin(), stack.stream().end());
    });
  }
  CHECK(streams[0] == streams[1]);
  CHECK(streams[0] == streams[2]);
  const StackOptions wide{.model_width = 200, .feed_forward = 300};
  const RandomLayer<double> one = draw_random_layer<double>(draws, 0, wide),
                            other = draw_random_layer<double>(data::Draws(3, "stack", "none", 0), 0, wide);
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

TEST_CASE("a stack's backward pass is that of differences, whatever its layers leave out") {
  const Index B = 2, T = 5;
  const data::Draws draws(8, "stack gradient", "", 0);
  const host::Scheme rope(host::Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), {}, {D, H, T}),
      shaw(host::Plugin::open(POSLAB_PLUGIN_DIR "/shaw.so"), {}, {D, H, T});
  const host::Weights<double> weights = shaw.draw_weights(draws, 2);
  const Array<double> positions = tiny::positions(nullptr, T), direction = draws.normal("direction", {B, T, D});
  for (Index bits = 0; bits < 16; ++bits) {
    const auto has = [&](int bit) { return (bits >> bit) % 2 == 1; };
    CAPTURE(bits);
    const StackOptions options{.model_width = D,
                               .heads = H,
                               .feed_forward = has(0) ? 10 : 0,
                               .train_length = T,
                               .residual = has(1),
                               .norm = has(2) ? Norm::rms : Norm::layer,
                               .epsilon = has(2) ? 0 : 1e-5,
                               .activation = has(3) ? Activation::relu : Activation::gelu_tanh};
    FullLayer full[] = {{draws, 0, options.feed_forward}, {draws, 1, options.feed_forward}};
    std::vector<Layer> layers{{&rope, full[0].all, 0.7}, {&shaw, full[1].all, 1.3}};
    layers[1].arrays.scheme = weights.layer(1);
    if (has(3))
      for (Layer& layer : layers) layer.arrays.output = layer.arrays.norm1 = {};
    Stack<double> stack(options, host::LayerSchemes({&rope, &shaw}), {B, T, 2});
    Array<double> x = draws.normal("content", {B, T, D});
    const auto loss = [&] {
      std::copy(x.flat().begin(), x.flat().end(), stack.begin(B, T, positions).begin());
      for (const Layer& layer : layers) stack.step(layer);
      double sum = 0;
      for (Index i = 0; i < x.size(); ++i) sum += direction.data()[i] * stack.stream().data[i];
      return sum;
    };
    loss();
    std::copy(direction.flat().begin(), direction.flat().end(), stack.gradient().begin());
    for (Index l = 2; l-- > 0;) stack.back(l, layers[static_cast<std::size_t>(l)]);
    Array<double> dx{B, T, D};
    std::copy(stack.gradient().begin(), stack.gradient().end(), dx.data());
    CHECK(check::is_gradient(loss, x, dx, 1e-6));
  }
}

TEST_CASE("a stack that only looks at a layer sees its attention, and leaves the stream") {
  const data::Draws draws(2, "stack", "rope", 0);
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/rope.so"), {}, {D, H, 6});
  const StackOptions options = random_stack(scheme.model(), 6, 0, true);
  const Array<double> content = draws.normal("content", {1, 6, D}), positions = tiny::positions(&scheme, 6);
  const RandomLayer<double> drawn = draw_random_layer<double>(draws, 0, options);
  Array<double> by_step{H, 6, 6}, by_look{H, 6, 6};
  const auto into = [](Array<double>& all) {
    return [&all](Index, Index, View<const double> seen) { std::copy(seen.begin(), seen.end(), all.data()); };
  };
  Stack<double> stack(options, {&scheme}, {1, 6});
  std::copy(content.flat().begin(), content.flat().end(), stack.begin(1, 6, positions).begin());
  stack.look(drawn.with(scheme, {}), into(by_look));
  CHECK(std::equal(content.flat().begin(), content.flat().end(), stack.stream().begin()));
  stack.step(drawn.with(scheme, {}), into(by_step));
  CHECK(std::equal(by_look.flat().begin(), by_look.flat().end(), by_step.flat().begin()));
  CHECK(by_look(0, 0, 0) == 1);
  CHECK_THROWS(stack.step({nullptr, drawn.with(scheme, {}).arrays}));  // it was made for another scheme
  CHECK_THROWS(stack.begin(2, 6, positions));
}
