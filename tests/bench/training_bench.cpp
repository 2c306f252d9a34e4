// SPDX-License-Identifier: Apache-2.0
// A step of training, forward, backward and update, in float32, as the peer times it: vocabulary 96, 4 heads, 4 layers,
// 2048 tokens; of all schemes at width 128 and 16 sequences of 128 tokens, of some at other sizes, too. "value" is the
// loss after the last step.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/host/library.hpp"
#include "poslab/network/network.hpp"
#include "poslab/numerics/products.hpp"
#include "poslab/training/adamw.hpp"

namespace {
std::atomic<std::uint64_t> allocations{0};
}

// Counted, for a step of training should make none.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using poslab::base::Index;
namespace network = poslab::network;
namespace host = poslab::host;

struct Size {
  Index width = 128, length = 128;
  Index sequences() const { return 2048 / length; }
};

network::Configuration configuration(Size size) {
  network::Configuration c;
  c.vocabulary = 96;
  c.model_width = size.width;
  c.heads = 4;
  c.layers = 4;
  c.feed_forward = 4 * size.width;
  c.train_length = size.length;
  return c;
}

// Operations of the products of a step: 6 a token and entry of a matrix but the embedding, and attention's, half of
// them hidden but computed.
double operations(const network::Layout& layout, Size size) {
  double entries = 0;
  for (const network::ParameterInfo& info : layout.parameters())
    if (info.rank == 2 && !info.of_scheme && info.name != "token_embedding")
      entries += static_cast<double>(info.size());
  const auto D = static_cast<double>(size.width), L = 4.0, T = static_cast<double>(size.length);
  // Forward q.k and attention . v; backward q.k again, and four more.
  return static_cast<double>(size.sequences()) * T * (6 * entries + L * 7 * 2 * T * D);
}

// What the machine makes of products of matrices.
void training_peak(benchmark::State& state) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  constexpr Index side = 512;
  std::vector<poslab::base::Array<float>> left, right, out;
  for (int i = 0; i < 2; ++i)
    for (auto* arrays : {&left, &right, &out}) {
      arrays->emplace_back(std::initializer_list<Index>{side, side});
      arrays->back().fill(0.5F);
    }
  for (auto _ : state)
    tbb::parallel_for(std::size_t{0}, std::size_t{2}, [&](std::size_t i) {
      poslab::numerics::multiply<float>(left[i].view(), right[i].view(), out[i].data());
    });
  state.counters["operations"] =
      benchmark::Counter(2 * 2.0 * side * side * side, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(training_peak)->UseRealTime()->Unit(benchmark::kMillisecond);

void training_step(benchmark::State& state, const std::string& id, std::size_t threads, Size size) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const network::Configuration c = configuration(size);
  const Index sequences = size.sequences(), length = size.length;
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so"), {},
                            {c.model_width, c.heads, c.train_length});
  const network::Layout layout(c, &scheme);
  auto parameters = network::draw_parameters<float>(layout, &scheme, poslab::data::Draws(1, "bench", id, 0));
  network::Parameters<float> gradient(layout);
  network::Network<float> net(c, &scheme, layout, {sequences, length, true});
  poslab::training::AdamW<float> optimiser(layout, {});
  std::vector<std::int32_t> tokens, targets;
  const poslab::base::Stream stream("bench");
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sequences * length); ++i) {
    tokens.push_back(static_cast<std::int32_t>(stream.below(2 * i, 96)));
    targets.push_back(static_cast<std::int32_t>(stream.below(2 * i + 1, 96)));
  }
  const std::vector<std::uint8_t> loss_mask(tokens.size(), 1);
  const network::Batch batch{{tokens.data(), {sequences, length}},
                             {targets.data(), {sequences, length}},
                             {loss_mask.data(), {sequences, length}}};
  double loss = 0;
  net.differentiate(parameters, batch, gradient);
  const std::uint64_t before = allocations;
  for (auto _ : state) {
    loss = network::mean_loss(net.differentiate(parameters, batch, gradient), batch.loss_mask);
    optimiser.step(1e-3, gradient, parameters);
  }
  state.counters["value"] = loss;
  state.counters["allocations"] = static_cast<double>(allocations - before) / static_cast<double>(state.iterations());
  state.counters["operations"] = operations(layout, size);
  state.counters["tokens"] =
      benchmark::Counter(static_cast<double>(sequences * length), benchmark::Counter::kIsIterationInvariantRate);
}

// All that are not for grids.
constexpr std::string_view schemes =
    "none sinusoidal learned rope alibi t5 shaw transformer-xl cope dape path selective-rope fox cable deberta kerple "
    "fire bert-relative binary cape complex-order dynamic-position-bias fourier index learnable-fourier "
    "music-transformer normalised-index pope random-fourier relative-projection rerope retnet sandwich self-extend "
    "tupe xpos bam fope grape resonance dual-chunk value-rope stick-breaking query-temperature";

void add(const std::string& name, const std::string& id, std::size_t threads, Size size) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { training_step(state, id, threads, size); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

const int registered = [] {
  std::istringstream ids{std::string(schemes)};
  for (std::string id; ids >> id;)
    for (const std::size_t threads : {1, 2})
      add("training_step/" + id + "/threads:" + std::to_string(threads), id, threads, {});
  for (const Index width : {64, 128, 256})
    for (const Index length : {128, 512, 2048})
      for (const char* id : {"none", "rope", "alibi"})
        add("training_size/" + (id + ("/width:" + std::to_string(width))) + "/length:" + std::to_string(length), id, 2,
            {width, length});
  return 0;
}();

}  // namespace
