// SPDX-License-Identifier: Apache-2.0
// The gradient through a whole network, of every scheme that is built, against central differences.
#include <cmath>
#include <set>

#include "catch.hpp"
#include "shipped.hpp"
#include "tiny.hpp"

using namespace tiny;

namespace {

struct Slopes {
  double claimed = 0, measured = 0, size = 0;
};

// Moves one array of the parameters along a random direction of length 1.
class SmallNetwork {
 public:
  SmallNetwork(const network::Configuration& c, const host::LayerSchemes& schemes, Index B, Index T)
      : layout_(c, schemes),
        batch_(B, T, c.vocabulary, schemes.layer(0)),
        network_(c, schemes, layout_, {B, T, true}),
        parameters_(parameters<double>(layout_, schemes)),
        gradient_(layout_) {
    network_.differentiate(parameters_, batch_.view(), gradient_);
    for (const double number : gradient_.flat()) size_ += number * number;
    size_ = std::sqrt(size_);
  }

  const network::Layout& layout() const { return layout_; }

  Slopes slopes(network::ParameterIndex index, double step) {
    const View<double> at = parameters_[index], claimed = gradient_[index];
    std::vector<double> direction, before(at.begin(), at.end());
    const poslab::base::Stream stream("direction of " + layout_.at(index).name);
    double length = 0;
    for (Index i = 0; i < at.size(); ++i) {
      direction.push_back(stream.normal(static_cast<std::uint64_t>(i)));
      length += direction.back() * direction.back();
    }
    Slopes found{0, 0, size_};
    const auto loss_at = [&](double far) {
      for (std::size_t i = 0; i < direction.size(); ++i)
        at.data[i] = before[i] + far * direction[i] / std::sqrt(length);
      return network::mean_loss(network_.evaluate(parameters_, batch_.view()), batch_.view().loss_mask);
    };
    // Five points: the error is of the fourth order of the step.
    found.measured = (8 * (loss_at(step) - loss_at(-step)) - (loss_at(2 * step) - loss_at(-2 * step))) / (12 * step);
    loss_at(0);
    for (std::size_t i = 0; i < direction.size(); ++i)
      found.claimed += claimed.data[i] * direction[i] / std::sqrt(length);
    return found;
  }

 private:
  network::Layout layout_;
  Batch batch_;
  network::Network<double> network_;
  network::Parameters<double> parameters_, gradient_;
  double size_ = 0;
};

void check_gradient(const host::LayerSchemes& schemes, const network::Configuration& c, Index T = 9) {
  CAPTURE(c.causal, T);
  SmallNetwork small(c, schemes, 3, T);
  for (network::ParameterIndex index = 0;
       index < static_cast<network::ParameterIndex>(small.layout().parameters().size()); ++index) {
    if (small.layout().at(index).frozen) continue;
    CAPTURE(small.layout().at(index).name);
    // A kink (of a ReLU, of a floor) may lie within a step, but hardly within each of these.
    double apart = INFINITY, size = 0;
    for (const double step : {1e-4, 1e-5, 1e-6, 1e-7}) {
      const Slopes found = small.slopes(index, step);
      size = found.size;
      apart = std::min(apart, std::abs(found.claimed - found.measured));
      if (apart <= 1e-7 * size) break;
    }
    CHECK(apart <= 1e-7 * size);
  }
}

void check_gradient(const std::string& id, const network::Configuration& c, const data::Values& parameters = {},
                    Index T = 9) {
  CAPTURE(id);
  const auto scheme = tiny::scheme(id, c, parameters);
  check_gradient(scheme.get(), c, T);
}

}  // namespace

TEST_CASE("the gradient through a whole network is right for every scheme") {
  for (const std::string& id : shipped_schemes()) {
    network::Configuration c = configuration();
    const auto scheme = tiny::scheme(id, c);
    c.causal = !scheme->why_not_mask(true);
    check_gradient(id, c);
  }
}

TEST_CASE("the gradient through every kind of network is right") {
  network::Configuration c = configuration();
  check_gradient("", c);
  c.norm = network::Norm::rms;
  c.activation = network::Activation::gelu_exact;
  c.causal = false;
  check_gradient("t5", c, {{"bidirectional", true}, {"per_layer", true}});
  c.biases = false;
  c.tied = true;
  check_gradient("learned", c);
  c.layers = 1;
  c.heads = 1;
  check_gradient("shaw", c, {{"per_layer", false}});
}

TEST_CASE("the gradient through a network whose layers have different schemes is right") {
  network::Configuration c = configuration();
  c.layers = 5;
  // Learned codes come in before the first layer, though their scheme is that of the third; T5's table is of two
  // layers.
  const auto rope = scheme("rope", c), t5 = scheme("t5", c), learned = scheme("learned", c), shaw = scheme("shaw", c);
  check_gradient(host::LayerSchemes({rope.get(), t5.get(), learned.get(), nullptr, t5.get()}), c);
  check_gradient(host::LayerSchemes({shaw.get(), rope.get()}), c);
  const auto none = scheme("none", c), far = scheme("rope", c, {{"base", 1e6}});
  check_gradient(host::LayerSchemes({rope.get(), far.get(), none.get()}), c);
}

TEST_CASE("the gradient reaches weights through values and outputs, too") {
  network::Configuration c = configuration();
  for (const bool causal : {true, false}) {
    c.causal = causal;
    check_gradient("../test-schemes/learned-turns", c);
  }
}

TEST_CASE("the gradient is right for sequences of several tiles of queries") {
  network::Configuration c = configuration();
  c.train_length = 150;
  for (const bool causal : {true, false}) {
    c.causal = causal;
    for (const char* id : {"", "t5", "shaw", "rope", "value-rope", "transformer-xl", "cope"}) {
      if (!causal && std::string(id) == "cope") continue;  // causal only
      check_gradient(id, c, {}, 150);
    }
  }
}
