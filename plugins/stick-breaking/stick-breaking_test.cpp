// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/error.hpp"
#include "score_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;

namespace {

constexpr Index H = 2, K = 3, D = H * K;
const host::Model model{D, H, 64};
const std::vector<double> positions{0, 1, 2, 3, 4, 5, 6};

double share(double z) { return 1 / (1 + std::exp(-z)); }

// The formula as products, for the query at index i of the keys.
template <class S>
double weight_of(const check::Scored<S>& at, Index h, Index i, Index j) {
  const Index own = at.first + i;
  double weight = j == own ? 1 : share(at.product(h, i, j));
  for (Index l = j == own ? 0 : j + 1; l < own; ++l) weight *= 1 - share(at.product(h, i, l));
  return weight;
}

}  // namespace

TEMPLATE_TEST_CASE("stick-breaking: logits are the logarithms of the pieces of the stick", "", float, double) {
  using S = TestType;
  const Index first = GENERATE(0, 4);
  const check::Scored<S> at(model, check::counted(first, 3), positions, first, 1.5);
  const auto scheme = check::scheme("stick-breaking", {}, model);
  at.compare(
      at.logits(*scheme, {}),
      [&](Index h, Index i, Index j) { return j > first + i ? at.product(h, i, j) : std::log(weight_of(at, h, i, j)); },
      100 * std::numeric_limits<S>::epsilon());
}

TEST_CASE(
    "stick-breaking: the softmax under a causal mask gives the pieces back, less the rest, values are the kernel's") {
  const auto scheme = check::scheme("stick-breaking", {}, model);
  const check::Scored<double> at(model, positions, positions, 0, 2.5);
  const auto logits = at.logits(*scheme, {});
  const auto values = check::random({H, at.Nk(), K}, "v");
  for (Index h = 0; h < H; ++h)
    for (Index i = 0; i < at.Nq(); ++i) {
      double sum = 0, rest = 1;
      std::vector<double> mixed(K), kernel(K);
      for (Index j = 0; j <= i; ++j) sum += std::exp(logits(h, i, j));
      CHECK_THAT(sum, check::WithinAbs(1, 1e-14));
      for (Index j = 0; j < i; ++j) rest *= 1 - share(at.product(h, i, j));
      for (Index c = 0; c < K; ++c) {
        double with_softmax = 0, of_keys_before = 0;
        for (Index j = 0; j <= i; ++j) with_softmax += std::exp(logits(h, i, j)) / sum * values(h, j, c);
        for (Index j = 0; j < i; ++j) of_keys_before += weight_of(at, h, i, j) * values(h, j, c);
        CHECK_THAT(with_softmax - rest * values(h, i, c), check::WithinAbs(of_keys_before, 1e-14));
      }
    }
}

TEST_CASE("stick-breaking: where all is alike, weights halve with distance, and the last half is the query's own") {
  const auto scheme = check::scheme("stick-breaking", {}, model);
  const check::Scored<double> at(model, positions, positions, 0, 0);
  at.compare(
      at.logits(*scheme, {}),
      [](Index, Index i, Index j) { return j > i ? 0 : -std::log(2) * static_cast<double>(j == i ? i : i - j); },
      1e-14);
}

TEST_CASE("stick-breaking: great logits neither overflow nor lose the rest") {
  const auto scheme = check::scheme("stick-breaking", {}, model);
  const double factor = GENERATE(1e3, 1e300);
  const check::Scored<float> at(model, positions, positions, 0, 1e3);
  const auto in_float = at.logits(*scheme, {});
  for (const float logit : in_float.flat()) CHECK(std::isfinite(logit));
  const check::Scored<double> far(model, positions, positions, 0, factor);
  const auto logits = far.logits(*scheme, {});
  for (Index i = 1; i < 7; ++i) {
    const double z = far.product(0, i, i - 1);
    CHECK(std::abs(logits(0, i, i - 1) - std::min(z, 0.0)) <= 1e-14 * std::abs(z));
  }
}

TEST_CASE("stick-breaking: gradients are those of central differences") {
  const Index first = GENERATE(0, 2);
  check::Scored<double> at(model, check::counted(first, 3), positions, first, 1.2);
  const auto scheme = check::scheme("stick-breaking", {}, model);
  host::Weights<double> none(scheme->weights(), 1);
  CHECK(check::score_gradients_hold(*scheme, at, none));
}

TEST_CASE("stick-breaking: a tile of one query says the same, positions mean nothing, claims, mask") {
  const auto scheme = check::scheme("stick-breaking", {}, model);
  const check::Scored<double> at(model, {2, 3, 4}, positions, 2), far(model, {7, 1e6, -3}, {8, 8, 7, 1e6, -3, 0, 5}, 2);
  const auto logits = at.logits(*scheme, {});
  CHECK(check::largest_difference(logits, far.logits(*scheme, {})) == 0);
  const check::Scored<double> outside(model, {6, 7}, positions, 6);
  CHECK_THROWS_WITH(outside.logits(*scheme, {}), check::contains("query 7 must be one of the 7 keys"));
  CHECK(scheme->weights().empty());
  CHECK(scheme->mask() == host::Mask::causal_only);
  CHECK(scheme->score_writes_logits());
  CHECK(scheme->claims(POSLAB_LENGTH_FREE));
  for (const auto claim : {POSLAB_RELATIVE, POSLAB_BOUNDED, POSLAB_CONTENT_FREE}) CHECK_FALSE(scheme->claims(claim));
}
