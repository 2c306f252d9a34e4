// SPDX-License-Identifier: Apache-2.0
// With what a network begins: as its scheme declares, or as the study says.
#include <cmath>

#include "catch.hpp"
#include "tiny.hpp"

using namespace tiny;
using network::EmbeddingScale;

namespace {

network::Layout layout_of(const host::Scheme* scheme, network::Configuration c, EmbeddingScale scale) {
  c.embedding_scale = scale;
  return {c, scheme};
}

double deviation(const network::Layout& layout, const std::string& name) { return layout.find(name)->init_std; }

}  // namespace

TEST_CASE("embeddings are multiplied by what the scheme declares, and drawn over it") {
  const network::Configuration c = configuration();
  const double root = std::sqrt(static_cast<double>(c.model_width));
  for (const auto& [id, scale, factor] : {std::tuple{"sinusoidal", EmbeddingScale::scheme, root},
                                          {"cape", EmbeddingScale::scheme, root},
                                          {"sinusoidal", EmbeddingScale::one, 1.0},
                                          {"rope", EmbeddingScale::scheme, 1.0},
                                          {"rope", EmbeddingScale::sqrt_width, root},
                                          {"", EmbeddingScale::sqrt_width, root},
                                          {"", EmbeddingScale::scheme, 1.0}}) {
    CAPTURE(id, factor);
    const auto scheme = tiny::scheme(id, c);
    const network::Layout layout = layout_of(scheme.get(), c, scale);
    CHECK(layout.embedding_scale == factor);
    CHECK(deviation(layout, "token_embedding") == (factor == 1 ? c.init_std : 1 / factor));
    CHECK(deviation(layout, "unembedding") == c.init_std);
  }
}

TEST_CASE("a sinusoid whose factor is learned leaves embeddings as they are") {
  const network::Configuration c = configuration();
  const auto scaled = tiny::scheme("sinusoidal", c, {{"scaled", true}});
  CHECK(network::Layout(c, scaled.get()).embedding_scale == 1);
}

TEST_CASE("layers of different schemes have the factor of the first that names one") {
  const network::Configuration c = configuration();
  const auto rope = tiny::scheme("rope", c), sinusoidal = tiny::scheme("sinusoidal", c);
  const host::LayerSchemes mixed({rope.get(), sinusoidal.get()});
  CHECK(network::Layout(c, mixed).embedding_scale == std::sqrt(static_cast<double>(c.model_width)));
}

TEST_CASE("T5's queries begin with what its logits lack, where they lack it") {
  const network::Configuration c = configuration();
  for (const bool scaled : {false, true}) {
    const auto t5 = tiny::scheme("t5", c, {{"scaled", scaled}});
    const network::Layout layout(c, t5.get());
    const double root = std::sqrt(static_cast<double>(c.head_width()));
    CHECK(deviation(layout, "layer0.query.weight") == c.init_std * (scaled ? 1 : 1 / root));
    CHECK(deviation(layout, "layer0.key.weight") == c.init_std);
  }
}

TEST_CASE("a factor on embeddings is one on their numbers") {
  network::Configuration c = configuration();
  c.layers = 1;
  const network::Layout one = layout_of(nullptr, c, EmbeddingScale::one),
                        root = layout_of(nullptr, c, EmbeddingScale::sqrt_width);
  network::Parameters<double> at = parameters<double>(one, nullptr), scaled(root);
  std::copy(at.flat().begin(), at.flat().end(), scaled.flat().begin());
  for (double& number : scaled[root.token_embedding].flat()) number /= root.embedding_scale;
  network::Parameters<double> gradient(one), scaled_gradient(root);
  network::Network<double> network(c, nullptr, one, {2, 5, true});
  network::Network<double> scaled_network(c, nullptr, root, {2, 5, true});
  const Batch batch(2, 5, c.vocabulary);
  const auto losses = network.differentiate(at, batch.view(), gradient);
  const auto scaled_losses = scaled_network.differentiate(scaled, batch.view(), scaled_gradient);
  for (std::size_t m = 0; m < losses.size(); ++m) CHECK(std::abs(losses[m].loss - scaled_losses[m].loss) < 1e-12);
  const View<const double> by = gradient[one.token_embedding], by_scaled = scaled_gradient[root.token_embedding];
  for (Index i = 0; i < by.size(); ++i) CHECK(std::abs(root.embedding_scale * by.data[i] - by_scaled.data[i]) < 1e-12);
}
