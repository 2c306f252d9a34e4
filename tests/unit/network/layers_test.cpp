// SPDX-License-Identifier: Apache-2.0
// The layers against plain loops, and their gradients against central differences.
#include "poslab/network/layers.hpp"

#include <cmath>

#include "catch.hpp"
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using base::View;
using check::random;

namespace {

// The loss whose gradient by y is `weights`: sum of weights * y.
double weighted(const Array<double>& y, const Array<double>& weights) { return check::inner(y, weights); }

}  // namespace

TEST_CASE("a linear layer and its gradients") {
  Array<double> x = random({5, 3}, "x"), w = random({4, 3}, "w"), b = random({4}, "b"), y{5, 4};
  const Array<double> dy = random({5, 4}, "dy");
  network::linear<double>(x, w, b, y);
  for (Index m = 0; m < 5; ++m)
    for (Index o = 0; o < 4; ++o) {
      double sum = b(o);
      for (Index i = 0; i < 3; ++i) sum += x(m, i) * w(o, i);
      CHECK(std::abs(y(m, o) - sum) < 1e-14);
    }
  const auto loss = [&] {
    network::linear<double>(x, w, b, y);
    return weighted(y, dy);
  };
  Array<double> dx{5, 3}, dw{4, 3}, db{4};
  network::linear_input_gradient<double>(dy, w, dx);
  network::linear_weight_gradient<double>(dy, x, 0, 3, dw, db);
  network::linear_weight_gradient<double>(dy, x, 3, 1, dw, db);
  CHECK(check::is_gradient(loss, x, dx, 1e-7));
  CHECK(check::is_gradient(loss, w, dw, 1e-7));
  CHECK(check::is_gradient(loss, b, db, 1e-7));
  Array<double> twice = dx.copy();
  network::linear_input_gradient<double>(dy, w, twice, true);
  for (Index i = 0; i < dx.size(); ++i) CHECK(std::abs(twice.data()[i] - 2 * dx.data()[i]) < 1e-14);
}

TEST_CASE("both norms and their gradients") {
  for (const network::Norm norm : {network::Norm::layer, network::Norm::rms}) {
    Array<double> x = random({4, 6}, "x"), w = random({6}, "w"), b = random({6}, "b"), y{4, 6}, mean{4}, scale{4};
    const Array<double> dy = random({4, 6}, "dy");
    const bool biased = norm == network::Norm::layer;
    const View<const double> bias = biased ? View<const double>(b.view()) : View<const double>();
    network::normalise<double>({norm}, x, w, bias, y, mean, scale);
    for (Index m = 0; m < 4; ++m) {
      double middle = 0, square = 0;
      if (biased)
        for (Index a = 0; a < 6; ++a) middle += x(m, a) / 6;
      for (Index a = 0; a < 6; ++a) square += (x(m, a) - middle) * (x(m, a) - middle) / 6;
      for (Index a = 0; a < 6; ++a)
        CHECK(std::abs(y(m, a) - ((x(m, a) - middle) / std::sqrt(square + 1e-5) * w(a) + (biased ? b(a) : 0))) < 1e-13);
    }
    const auto loss = [&] {
      network::normalise<double>({norm}, x, w, bias, y, mean, scale);
      return weighted(y, dy);
    };
    Array<double> dx{4, 6}, dw{6}, db{6};
    network::normalise_gradient<double>(norm, x, w, mean, scale, dy, dx, dw, biased ? db.view() : View<double>());
    CHECK(check::is_gradient(loss, x, dx, 1e-7));
    loss();
    CHECK(check::is_gradient(loss, w, dw, 1e-7));
    if (biased) CHECK(check::is_gradient(loss, b, db, 1e-7));
  }
}

TEST_CASE("a norm without a factor and an epsilon: rows of one length, and zeros stay") {
  Array<double> x = random({3, 6}, "x"), y{3, 6}, mean{3}, scale{3}, ones{6}, scaled{3, 6};
  ones.fill(1);
  for (Index a = 0; a < 6; ++a) x(1, a) = 0;
  network::normalise<double>({network::Norm::rms, 0}, x, {}, {}, y, mean, scale);
  for (Index m = 0; m < 3; ++m) {
    double squares = 0;
    for (Index a = 0; a < 6; ++a) squares += y(m, a) * y(m, a);
    CHECK(std::abs(squares - (m == 1 ? 0 : 6)) < 1e-13);
    CHECK(std::abs(y(m, 2) - x(m, 2) * scale(m)) < 1e-15);
  }
  // A factor of 1 is none, to the bit, also backward, where those that are not wanted may be left out.
  network::normalise<double>({network::Norm::rms, 0}, x, ones, {}, scaled, mean, scale);
  CHECK(std::equal(y.flat().begin(), y.flat().end(), scaled.flat().begin()));
  const Array<double> dy = random({3, 6}, "dy");
  Array<double> dx{3, 6}, same{3, 6}, dw{6};
  network::normalise_gradient<double>(network::Norm::rms, x, {}, mean, scale, dy, dx, {}, {});
  network::normalise_gradient<double>(network::Norm::rms, x, ones, mean, scale, dy, same, dw, {});
  CHECK(std::equal(dx.flat().begin(), dx.flat().end(), same.flat().begin()));
}

TEST_CASE("relu and its gradient") {
  Array<double> x = random({50}, "x"), y{50}, dx = random({50}, "dy");
  const Array<double> dy = dx.copy();
  x(3) = 0;
  network::activate<double>(network::Activation::relu, x, y);
  network::activation_gradient<double>(network::Activation::relu, x, dx);
  for (Index i = 0; i < 50; ++i) {
    CHECK(y(i) == (x(i) > 0 ? x(i) : 0));
    CHECK(dx(i) == (x(i) > 0 ? dy(i) : 0));
  }
}

TEST_CASE("both forms of GELU and their gradients") {
  for (const network::Activation kind : {network::Activation::gelu_tanh, network::Activation::gelu_exact}) {
    Array<double> x = random({700}, "x"), y{700};
    network::activate<double>(kind, x, y);
    for (Index i = 0; i < x.size(); ++i) {
      const double at = x(i), exact = at * 0.5 * std::erfc(-at / std::sqrt(2.0));
      const double expected =
          kind == network::Activation::gelu_exact
              ? exact
              : 0.5 * at * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (at + 0.044715 * at * at * at)));
      CHECK(std::abs(y(i) - expected) < 1e-14);
      CHECK(std::abs(y(i) - exact) < 5e-4);  // the two forms are close
    }
    const Array<double> dy = random({700}, "dy");
    Array<double> dx = dy.copy();
    network::activation_gradient<double>(kind, x, dx);
    const auto loss = [&] {
      network::activate<double>(kind, x, y);
      return weighted(y, dy);
    };
    CHECK(check::is_gradient(loss, x, dx, 1e-7));
  }
}

TEST_CASE("cross entropy, its gradient, and tokens that do not count") {
  Array<double> logits = random({3, 5}, "logits");
  const std::int32_t targets[] = {4, 0, 2};
  const double factors[] = {0.25, 0, 0.75};
  network::TokenLoss losses[3];
  const auto loss = [&] {
    Array<double> copy = logits.copy();
    network::cross_entropy<double>(copy, targets, factors, losses, false);
    return 0.25 * losses[0].loss + 0.75 * losses[2].loss;
  };
  loss();
  double sum = 0;
  for (Index v = 0; v < 5; ++v) sum += std::exp(logits(0, v));
  CHECK(std::abs(losses[0].loss - (std::log(sum) - logits(0, 4))) < 1e-14);
  CHECK(losses[1].loss == 0);
  Array<double> gradient = logits.copy();
  network::cross_entropy<double>(gradient, targets, factors, losses, true);
  CHECK(check::is_gradient(loss, logits, gradient, 1e-7));
  logits(2, 2) = 9;
  loss();
  CHECK(losses[2].correct);
  logits(2, 3) = 10;
  loss();
  CHECK_FALSE(losses[2].correct);
}
