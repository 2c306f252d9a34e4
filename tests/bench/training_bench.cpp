// SPDX-License-Identifier: Apache-2.0
// A step of training, forward, backward and update, in float32 on two threads, at the size of the peer's clock:
// alphabet 96, width 128, 4 heads, 4 layers, 16 sequences of 128 tokens. "value" is the loss after the last step.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/host/library.hpp"
#include "poslab/network/network.hpp"
#include "poslab/training/adamw.hpp"

namespace {

using poslab::base::Index;
namespace network = poslab::network;
namespace host = poslab::host;

constexpr Index sequences = 16, length = 128;

network::Configuration configuration() {
  network::Configuration c;
  c.alphabet = 96;
  c.model_width = 128;
  c.heads = 4;
  c.layers = 4;
  c.feed_forward = 512;
  c.train_length = length;
  return c;
}

void training_step(benchmark::State& state, const std::string& id, std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const network::Configuration c = configuration();
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so"), {},
                            {c.model_width, c.heads, c.train_length});
  const network::Layout layout(c, &scheme);
  auto parameters = network::draw_parameters<float>(layout, &scheme, poslab::data::Draws(1, "bench", id, 0));
  network::Parameters<float> gradient(layout);
  network::Network<float> net(c, &scheme, layout, {sequences, length, true});
  poslab::training::AdamW<float> optimiser(layout, {});
  std::vector<std::int32_t> tokens, targets;
  const poslab::base::Stream stream("bench");
  for (std::uint64_t i = 0; i < sequences * length; ++i) {
    tokens.push_back(static_cast<std::int32_t>(stream.below(2 * i, 96)));
    targets.push_back(static_cast<std::int32_t>(stream.below(2 * i + 1, 96)));
  }
  const std::vector<std::uint8_t> counts(tokens.size(), 1);
  const network::Batch batch{{tokens.data(), {sequences, length}},
                             {targets.data(), {sequences, length}},
                             {counts.data(), {sequences, length}}};
  double loss = 0;
  for (auto _ : state) {
    loss = network::mean_loss(net.differentiate(parameters, batch, gradient), batch.counts);
    optimiser.step(1e-3, gradient, parameters);
  }
  state.counters["value"] = loss;
  state.counters["tokens"] =
      benchmark::Counter(static_cast<double>(sequences * length), benchmark::Counter::kIsIterationInvariantRate);
}

// All that are not for grids.
constexpr std::string_view schemes =
    "none sinusoidal learned rope alibi t5 shaw transformer-xl cope dape path selective-rope fox cable deberta kerple "
    "fire bert-relative binary cape complex-order dynamic-position-bias fourier index learnable-fourier "
    "music-transformer normalised-index pope random-fourier relative-projection rerope retnet sandwich self-extend "
    "tupe xpos";

const int registered = [] {
  std::istringstream ids{std::string(schemes)};
  for (std::string id; ids >> id;)
    for (const std::size_t threads : {1, 2})
      benchmark::RegisterBenchmark(("training_step/" + id + "/threads:" + std::to_string(threads)).c_str(),
                                   [=](benchmark::State& state) { training_step(state, id, threads); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
