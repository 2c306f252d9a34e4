// SPDX-License-Identifier: Apache-2.0
// Networks whose layers have different schemes: which arrays they have, and when they are no other network.
#include <cmath>

#include "catch.hpp"
#include "tiny.hpp"

using namespace tiny;

namespace {

struct Made {
  Made(const network::Configuration& c, const host::LayerSchemes& schemes) : layout(c, schemes) {
    const network::Parameters<double> at = parameters<double>(layout, schemes);
    network::Parameters<double> by(layout);
    network::Network<double> network(c, schemes, layout, {3, c.train_length, true});
    for (const network::TokenLoss& loss : network.differentiate(at, Batch(3, c.train_length, c.vocabulary).view(), by))
      losses.push_back(loss.loss);
    gradient.assign(by.flat().begin(), by.flat().end());
  }
  network::Layout layout;
  std::vector<double> losses, gradient;
};

std::vector<std::string> scheme_arrays(const network::Layout& layout) {
  std::vector<std::string> names;
  for (const network::ParameterInfo& info : layout.parameters())
    if (info.of_scheme) names.push_back(info.name);
  return names;
}

}  // namespace

TEST_CASE("layers that all have one scheme are a network of that scheme, to the bit") {
  network::Configuration c = configuration();
  c.layers = 4;
  for (const char* id : {"rope", "none", "alibi", "sinusoidal"}) {
    CAPTURE(id);
    const auto one = scheme(id, c), same = scheme(id, c);
    const Made whole(c, one.get());
    for (const host::LayerSchemes& layers :
         {host::LayerSchemes({one.get(), one.get()}), host::LayerSchemes({one.get(), one.get(), one.get()})}) {
      const Made made(c, layers);
      CHECK(made.losses == whole.losses);
      CHECK(made.gradient == whole.gradient);
    }
    if (std::string(id) == "sinusoidal") continue;  // two objects are two schemes, and each adds its codes
    const Made two(c, host::LayerSchemes({one.get(), same.get()}));
    CHECK(two.losses == whole.losses);
    CHECK(two.gradient == whole.gradient);
  }
}

TEST_CASE("a list of layers repeats over the depth, and another list is another network") {
  network::Configuration c = configuration();
  c.layers = 4;
  const auto rope = scheme("rope", c), none = scheme("none", c);
  const host::Scheme *r = rope.get(), *n = none.get();
  const Made short_list(c, host::LayerSchemes({r, n})), long_list(c, host::LayerSchemes({r, n, r, n})),
      all(c, host::LayerSchemes({r, n, n, n})), longer(c, host::LayerSchemes({r, n, r, n, n, n}));
  CHECK(short_list.losses == long_list.losses);
  CHECK(short_list.losses == longer.losses);  // what is deeper than the network is nothing to it
  CHECK(short_list.losses != all.losses);
  CHECK(short_list.gradient != all.gradient);
}

TEST_CASE("each layer has the arrays of its scheme, and shared ones the number of the first layer that has them") {
  network::Configuration c = configuration();
  c.layers = 5;
  const auto t5 = scheme("t5", c), shaw = scheme("shaw", c), rope = scheme("rope", c);
  const host::Scheme *t = t5.get(), *s = shaw.get(), *r = rope.get();
  REQUIRE(s->weights().size() == 2);
  REQUIRE(s->weights().front().per_layer);
  REQUIRE_FALSE(t->weights().front().per_layer);
  const std::string table = t->weights().front().name, keys = s->weights()[0].name, values = s->weights()[1].name;
  const network::Layout mixed(c, host::LayerSchemes({r, t, s})), alone(c, t);
  CHECK(scheme_arrays(mixed) ==
        std::vector<std::string>{"layer1.scheme." + table, "layer2.scheme." + keys, "layer2.scheme." + values});
  CHECK(scheme_arrays(alone) == std::vector<std::string>{"scheme." + table});
  CHECK(mixed.layers[1].scheme == mixed.layers[4].scheme);
  CHECK(mixed.layers[0].scheme.empty());
  CHECK(mixed.layers[2].scheme.size() == 2);
}

TEST_CASE("a layer's weights are its scheme's own draws of that layer") {
  network::Configuration c = configuration();
  const auto shaw = scheme("shaw", c), rope = scheme("rope", c);
  const data::Draws of_shaw(5, "e", "shaw", 3), of_any(5, "e", "rope+shaw", 3);
  const host::Weights<double> alone = shaw->draw_weights(of_shaw, 4);
  const host::LayerWeights<double> mixed = host::draw_weights(host::LayerSchemes({rope.get(), shaw.get()}), of_any, 4);
  for (const Index layer : {1, 3})
    for (std::size_t w = 0; w < 2; ++w) {
      const View<const double> a = alone.layer(layer)[w], b = mixed.layer(layer)[w];
      CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
  CHECK(mixed.layer(2).empty());
}
