// SPDX-License-Identifier: Apache-2.0
// What goes into a network, tokens or vectors, against central differences: the embedding of vectors, and the gradient
// by each embedded token.
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "tiny.hpp"

using namespace tiny;

namespace {

constexpr Index sequences = 3, length = 6;

// A batch of vectors [B, T, W] beside the random targets and loss mask.
struct Vectors {
  explicit Vectors(const network::Configuration& c, const host::Scheme* scheme)
      : batch(sequences, length, c.vocabulary, scheme), numbers{sequences, length, c.vector_width} {
    const poslab::base::Stream stream("vectors");
    for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = stream.normal(static_cast<std::uint64_t>(i));
  }
  network::Batch view() const {
    network::Batch all = batch.view();
    all.vectors = numbers.view();
    return all;
  }

  Batch batch;
  Array<double> numbers;
};

// The slope of the mean loss by `number`, from five points, whose error is of the fourth order of the step.
template <class Loss>
double slope(double& number, const Loss& loss) {
  constexpr double step = 2e-4;
  const double before = number;
  const auto at = [&](double far) {
    number = before + far;
    return loss();
  };
  const double found = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  number = before;
  return found;
}

// The slope of each number of `from` against `gradient`: their largest difference over the largest slope.
template <class Loss>
double worst(View<double> from, View<const double> gradient, const Loss& loss) {
  REQUIRE(from.size() == gradient.size());
  const std::vector<double> claimed(gradient.begin(), gradient.end());  // the passes of `loss` may write over it
  double apart = 0, size = 0;
  for (Index i = 0; i < from.size(); ++i) {
    const double measured = slope(from.data[i], loss);
    apart = std::max(apart, std::abs(claimed[static_cast<std::size_t>(i)] - measured));
    size = std::max(size, std::abs(measured));
  }
  CHECK(size > 1e-3);
  return apart / size;
}

}  // namespace

TEST_CASE("vectors enter by a matrix whose gradient is right") {
  for (const char* id : {"", "learned", "rope"})
    for (const bool causal : {true, false}) {
      CAPTURE(id, causal);
      network::Configuration c = configuration();
      c.vector_width = 5;
      c.causal = causal;
      const auto scheme = tiny::scheme(id, c);
      const network::Layout layout(c, scheme.get());
      REQUIRE(layout.token_embedding < 0);
      auto at = parameters<double>(layout, scheme.get());
      network::Parameters<double> gradient(layout);
      network::Network<double> net(c, scheme.get(), layout, {sequences, length, true});
      const Vectors vectors(c, scheme.get());
      net.differentiate(at, vectors.view(), gradient);
      const auto loss = [&] { return network::mean_loss(net.evaluate(at, vectors.view()), vectors.view().loss_mask); };
      CHECK(worst(at[layout.vector_embedding], gradient[layout.vector_embedding], loss) < 1e-8);
    }
}

TEST_CASE("the gradient by embedded vectors is right") {
  network::Configuration c = configuration();
  c.vector_width = c.model_width;
  for (const char* id : {"", "learned", "t5"}) {
    CAPTURE(id);
    const auto scheme = tiny::scheme(id, c);
    const network::Layout layout(c, scheme.get());
    auto at = parameters<double>(layout, scheme.get());
    for (Index a = 0; a < c.model_width; ++a)
      for (Index w = 0; w < c.model_width; ++w)
        at[layout.vector_embedding](a, w) = a == w;  // a vector is what it embeds
    network::Parameters<double> gradient(layout);
    network::Network<double> net(c, scheme.get(), layout, {sequences, length, true});
    Vectors vectors(c, scheme.get());
    net.differentiate(at, vectors.view(), gradient);
    const auto loss = [&] { return network::mean_loss(net.evaluate(at, vectors.view()), vectors.view().loss_mask); };
    CHECK(worst(vectors.numbers, net.input_gradient(), loss) < 1e-8);
  }
}

TEST_CASE("the gradient by embedded tokens is right, and none of what comes after the last that counts") {
  network::Configuration c = configuration();
  c.vocabulary = sequences * length;  // each token is met once: its row of the table is its embedding
  for (const Index layers : {1, 2}) {
    CAPTURE(layers);
    c.layers = layers;
    const auto scheme = tiny::scheme("learned", c);
    const network::Layout layout(c, scheme.get());
    auto at = parameters<double>(layout, scheme.get());
    network::Parameters<double> gradient(layout);
    network::Network<double> net(c, scheme.get(), layout, {sequences, length, true});
    Batch batch(sequences, length, c.vocabulary, scheme.get());
    std::iota(batch.tokens.begin(), batch.tokens.end(), 0);
    for (std::size_t m = 0; m < batch.loss_mask.size(); ++m) batch.loss_mask[m] = m % length == 3;
    net.differentiate(at, batch.view(), gradient);
    const View<const double> by_input = net.input_gradient();
    for (Index b = 0; b < sequences; ++b)
      for (Index t = 4; t < length; ++t)
        for (Index a = 0; a < c.model_width; ++a) CHECK(by_input[b](t, a) == 0);
    const auto loss = [&] { return network::mean_loss(net.evaluate(at, batch.view()), batch.view().loss_mask); };
    CHECK(worst(at[layout.token_embedding], by_input, loss) < 1e-8);
  }
}

TEST_CASE("vectors of another width, or none, are refused by a network of vectors") {
  network::Configuration c = configuration();
  c.vector_width = 5;
  const network::Layout layout(c, nullptr);
  const auto at = parameters<double>(layout, nullptr);
  network::Network<double> net(c, nullptr, layout, {sequences, length, false});
  const Vectors right(c, nullptr);
  CHECK_NOTHROW(net.evaluate(at, right.view()));
  CHECK_THROWS_AS(net.evaluate(at, right.batch.view()), poslab::base::Error);
  network::Configuration wider = c;
  wider.vector_width = 6;
  CHECK_THROWS_AS(net.evaluate(at, Vectors(wider, nullptr).view()), poslab::base::Error);
}
