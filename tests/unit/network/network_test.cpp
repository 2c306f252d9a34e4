// SPDX-License-Identifier: Apache-2.0
// A network's numbers: on any number of threads, in batches of any size, and what it refuses.
#include "poslab/network/network.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "tiny.hpp"

using namespace tiny;

namespace {

struct Outcome {
  std::vector<double> losses;
  std::vector<float> gradient;
  bool operator==(const Outcome&) const = default;
};

Outcome differentiate(const std::string& id, int threads) {
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Outcome out;
  arena.execute([&] {
    network::Configuration c = configuration();
    c.train_length = 40;
    const auto scheme = tiny::scheme(id, c);
    const network::Layout layout(c, scheme.get());
    const network::Parameters<float> at = parameters<float>(layout, scheme.get());
    network::Parameters<float> gradient(layout);
    network::Network<float> net(c, scheme.get(), layout, {11, 40, true});
    const Batch batch(11, 40, c.vocabulary, scheme.get());
    for (const network::TokenLoss& loss : net.differentiate(at, batch.view(), gradient))
      out.losses.push_back(loss.loss);
    out.gradient.assign(gradient.flat().begin(), gradient.flat().end());
  });
  return out;
}

}  // namespace

TEST_CASE("a network gives the same bits on 1, 2 and 8 threads") {
  for (const char* id : {"", "t5", "shaw", "transformer-xl", "rope"}) {
    CAPTURE(id);
    const Outcome one = differentiate(id, 1);
    CHECK(one == differentiate(id, 2));
    CHECK(one == differentiate(id, 8));
  }
}

TEST_CASE("a network that trains and one that only evaluates agree bit for bit, batch size after batch size") {
  const network::Configuration c = configuration();
  const auto scheme = tiny::scheme("shaw", c);
  const network::Layout layout(c, scheme.get());
  const auto at = parameters<double>(layout, scheme.get());
  auto gradient = network::Parameters<double>(layout);
  network::Network<double> trains(c, scheme.get(), layout, {4, 20, true}),
      evaluator(c, scheme.get(), layout, {4, 20, false});
  for (const auto& [B, T] : {std::pair<Index, Index>{4, 20}, {2, 9}, {1, 1}, {3, 20}}) {
    const Batch batch(B, T, c.vocabulary);
    const auto one = trains.differentiate(at, batch.view(), gradient);
    const auto two = evaluator.evaluate(at, batch.view());
    REQUIRE(one.size() == static_cast<std::size_t>(B * T));
    for (std::size_t m = 0; m < one.size(); ++m) CHECK(one[m].loss == two[m].loss);
  }
}

TEST_CASE("a decoder's token sees nothing of what comes after it, an encoder's does") {
  network::Configuration c = configuration();
  for (const bool causal : {true, false}) {
    c.causal = causal;
    const network::Layout layout(c, nullptr);
    const auto at = parameters<double>(layout, nullptr);
    network::Network<double> net(c, nullptr, layout, {1, 8, false});
    Batch batch(1, 8, c.vocabulary);
    std::fill(batch.loss_mask.begin(), batch.loss_mask.end(), std::uint8_t{1});
    const auto before = net.evaluate(at, batch.view());
    const std::vector<network::TokenLoss> kept(before.begin(), before.end());
    batch.tokens[5] = (batch.tokens[5] + 1) % 7;
    const auto after = net.evaluate(at, batch.view());
    for (std::size_t t = 0; t < 8; ++t) {
      CAPTURE(causal, t);
      CHECK((kept[t].loss == after[t].loss) == (causal && t < 5));
    }
  }
}

TEST_CASE("attention is shown layer by layer: its rows sum to 1 and keep to the mask") {
  const network::Configuration c = configuration();
  const network::Layout layout(c, nullptr);
  const auto at = parameters<double>(layout, nullptr);
  network::Network<double> net(c, nullptr, layout, {2, 6, false});
  const Batch batch(2, 6, c.vocabulary);
  std::vector<int> seen(4);
  net.evaluate(at, batch.view(), [&](Index layer, Index sequence, Index first, View<const double> attention) {
    ++seen[static_cast<std::size_t>(2 * layer + sequence)];
    if (first != 0 || attention.shape[0] != 2 || attention.shape[1] != 6) return;
    for (Index h = 0; h < 2; ++h)
      for (Index i = 0; i < 6; ++i) {
        double sum = 0;
        for (Index j = 0; j < 6; ++j) sum += attention(h, i, j);
        if (std::abs(sum - 1) > 1e-12 || (i < 5 && attention(h, i, i + 1) != 0)) seen[0] = -100;
      }
  });
  CHECK(seen == std::vector<int>{1, 1, 1, 1});
}

TEST_CASE("a batch larger than the network was made for is refused") {
  const network::Configuration c = configuration();
  const network::Layout layout(c, nullptr);
  const auto at = parameters<double>(layout, nullptr);
  network::Network<double> net(c, nullptr, layout, {2, 6, false});
  CHECK_THROWS_AS(net.evaluate(at, Batch(3, 6, 7).view()), poslab::base::Error);
  CHECK_THROWS_AS(net.evaluate(at, Batch(2, 7, 7).view()), poslab::base::Error);
  CHECK(network::Network<float>::bytes(c, nullptr, {2, 6, true}) >
        network::Network<float>::bytes(c, nullptr, {2, 6, false}));
}
