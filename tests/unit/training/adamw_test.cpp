// SPDX-License-Identifier: Apache-2.0
// AdamW against the formula, number by number; the golden traces hold it against PyTorch's.
#include "poslab/training/adamw.hpp"

#include <cmath>

#include "catch.hpp"
#include "poslab/base/random.hpp"

using namespace poslab;
using base::Index;

TEST_CASE("a step of AdamW is the formula") {
  network::Configuration c;
  c.vocabulary = 3;
  c.model_width = 4;
  c.heads = 1;
  c.layers = 1;
  c.feed_forward = 5;
  const network::Layout layout(c, nullptr);
  network::Parameters<double> at(layout), gradient(layout);
  const base::Stream stream("adamw");
  for (std::size_t i = 0; i < at.flat().size(); ++i) at.flat()[i] = stream.normal(i);
  training::AdamW<double> optimiser(layout, {0.8, 0.9, 1e-6, 0.5, 2});
  network::Parameters<double> expected(layout);
  std::copy(at.flat().begin(), at.flat().end(), expected.flat().begin());
  std::vector<double> m(at.flat().size()), v(m);
  for (int t = 1; t <= 3; ++t) {
    const double size = t == 2 ? 0.01 : 1;  // the second gradient is shorter than the limit
    double squares = 0;
    for (network::ParameterIndex index = 0; index < static_cast<network::ParameterIndex>(layout.parameters().size());
         ++index)
      for (double& g : gradient[index].flat()) {
        g = size * stream.normal(static_cast<std::uint64_t>(1000 * t + (&g - gradient.flat().data())));
        squares += g * g;
      }
    const double norm = optimiser.step(0.1, gradient, at);
    CHECK(std::abs(norm - std::sqrt(squares)) < 1e-12);
    CHECK((norm < 2) == (t == 2));
    for (const network::ParameterInfo& info : layout.parameters())
      for (Index i = info.offset; i < info.offset + info.size(); ++i) {
        const auto n = static_cast<std::size_t>(i);
        const double g = gradient.flat()[n] * std::min(1.0, 2 / norm);
        m[n] = 0.8 * m[n] + 0.2 * g;
        v[n] = 0.9 * v[n] + 0.1 * g * g;
        if (info.name.find("layer") == 0 && info.rank == 2) expected.flat()[n] *= 1 - 0.1 * 0.5;
        expected.flat()[n] -= 0.1 * m[n] / (1 - std::pow(0.8, t)) / (std::sqrt(v[n] / (1 - std::pow(0.9, t))) + 1e-6);
        CHECK(std::abs(at.flat()[n] - expected.flat()[n]) < 1e-12);
      }
  }
}
