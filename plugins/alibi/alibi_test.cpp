// SPDX-License-Identifier: Apache-2.0
#include "scheme_check.hpp"

using namespace poslab;
using base::Array;
using base::Index;
using check::Value;

namespace {

const host::Context context{64, 512, true};

std::unique_ptr<host::Scheme> alibi(const std::string& form, Index H) {
  return check::scheme("alibi", {{"form", Value(form)}}, {4 * H, H, 512});
}

template <class S>
Array<S> bias(const host::Scheme& scheme, const Array<double>& queries, const Array<double>& keys) {
  Array<S> out({scheme.model().heads, queries.extent(0), keys.extent(0)});
  scheme.bias<S>(context, {queries, keys, 0}, {}, out);
  return out;
}

// As the authors publish it: recursive, for any number of heads.
std::vector<double> slopes(int heads) {
  const double log2 = std::log2(heads);
  std::vector<double> result;
  if (log2 == std::floor(log2)) {
    for (int h = 0; h < heads; ++h) result.push_back(std::pow(std::pow(2.0, -std::pow(2.0, -(log2 - 3))), h + 1));
    return result;
  }
  const int closest = static_cast<int>(std::pow(2, std::floor(log2)));
  result = slopes(closest);
  const std::vector<double> more = slopes(2 * closest);
  for (std::size_t h = 0; result.size() < static_cast<std::size_t>(heads); h += 2) result.push_back(more[h]);
  return result;
}

}  // namespace

TEST_CASE("alibi: the published slopes, for every number of heads") {
  const auto here = check::positions({0}), next = check::positions({-1});
  for (int H = 1; H <= 40; ++H) {
    const Array<double> out = bias<double>(*alibi("causal", H), here, next);
    const std::vector<double> expected = slopes(H);
    for (Index h = 0; h < H; ++h)
      CHECK_THAT(out(h, 0, 0), check::WithinRel(-expected[static_cast<std::size_t>(h)], 1e-14));
  }
  const Array<double> one = bias<double>(*alibi("causal", 1), here, next);
  CHECK(one(0, 0, 0) == -std::exp2(-8));
  const Array<double> twelve = bias<double>(*alibi("causal", 12), here, next);
  CHECK(twelve(7, 0, 0) == -std::exp2(-8));
  CHECK_THAT(twelve(8, 0, 0), check::WithinRel(-std::exp2(-0.5), 1e-15));
  CHECK_THAT(twelve(11, 0, 0), check::WithinRel(-std::exp2(-3.5), 1e-15));
}

// As MPT has them: of the next power of two, every second one first, then those between.
TEST_CASE("alibi: MPT's slopes, for any alibi_bias_max and number of heads") {
  const auto here = check::positions({0}), next = check::positions({-1});
  for (const double bias_max : {8.0, 4.0, 11.5})
    for (int H = 1; H <= 20; ++H) {
      int power = 1;
      while (power < H) power *= 2;
      std::vector<double> of_power, expected;
      for (int n = 1; n <= power; ++n) of_power.push_back(std::pow(2.0, -bias_max * n / power));
      if (power == H) expected = of_power;
      for (std::size_t n = 1; power != H && n < of_power.size(); n += 2) expected.push_back(of_power[n]);
      for (std::size_t n = 0; power != H && n < of_power.size(); n += 2) expected.push_back(of_power[n]);
      const auto scheme = check::scheme("alibi", {{"alibi_bias_max", Value(bias_max)}}, {4 * H, H, 512});
      const Array<double> out = bias<double>(*scheme, here, next);
      for (Index h = 0; h < H; ++h)
        CHECK_THAT(out(h, 0, 0), check::WithinRel(-expected[static_cast<std::size_t>(h)], 1e-14));
    }
}

TEMPLATE_TEST_CASE("alibi: the three forms, for any positions", "", float, double) {
  using S = TestType;
  const std::string form = GENERATE("causal", "symmetric", "asymmetric");
  const auto scheme = alibi(form, 3);
  const std::vector<double> m = slopes(3);
  for (const auto& [query_numbers, key_numbers] :
       std::vector<std::pair<std::vector<double>, std::vector<double>>>{{{2, 3, 4}, {0, 1, 2, 3, 4, 5}},
                                                                        {{0, 7, 100}, {3, 50, 99, 4000}},
                                                                        {{0.5, 2.25}, {0, 1.5, 8}},
                                                                        {{-3}, {-5, -3, -1}}}) {
    const auto queries = check::positions(query_numbers), keys = check::positions(key_numbers);
    const Array<S> out = bias<S>(*scheme, queries, keys);
    for (Index h = 0; h < 3; ++h)
      for (Index i = 0; i < queries.extent(0); ++i)
        for (Index j = 0; j < keys.extent(0); ++j) {
          const double back = queries(i, 0) - keys(j, 0);
          const double distance =
              form == "causal" ? back : std::abs(back) - (form == "asymmetric" && back > 0 ? 0.5 : 0);
          CHECK(static_cast<double>(out(h, i, j)) ==
                check::Approx(-m[static_cast<std::size_t>(h)] * distance).epsilon(sizeof(S) == 4 ? 1e-7 : 1e-14));
        }
  }
}

TEMPLATE_TEST_CASE("alibi: a tile that no cache holds has the bits of its rows, one by one", "", float, double) {
  const Index H = 3, Nq = 1400, Nk = 2051;  // beyond 32 MiB; rows begin at every alignment
  Array<double> queries({Nq, 1}), keys({Nk, 1});
  for (Index n = 0; n < Nq; ++n) queries(n, 0) = static_cast<double>(n + 600);
  for (Index n = 0; n < Nk; ++n) keys(n, 0) = static_cast<double>(n);
  const auto scheme = alibi("symmetric", H);
  const Array<TestType> all = bias<TestType>(*scheme, queries, keys);
  for (Index i = 0; i < Nq; i += 7) {
    const Array<TestType> row = bias<TestType>(*scheme, check::positions({queries(i, 0)}), keys);
    for (Index h = 0; h < H; ++h)
      for (Index j = 0; j < Nk; ++j) REQUIRE(all(h, i, j) == row(h, 0, j));
  }
}

TEST_CASE("alibi: claims and masks") {
  CHECK(alibi("causal", 4)->mask() == host::Mask::causal_only);
  CHECK(alibi("symmetric", 4)->mask() == host::Mask::any);
  CHECK(alibi("symmetric", 4)->claims(POSLAB_SYMMETRIC));
  CHECK_FALSE(alibi("causal", 4)->claims(POSLAB_SYMMETRIC));
  CHECK_FALSE(alibi("asymmetric", 4)->claims(POSLAB_SYMMETRIC));
  for (const char* form : {"causal", "symmetric", "asymmetric"}) {
    const auto scheme = alibi(form, 4);
    CHECK(scheme->claims(POSLAB_RELATIVE));
    CHECK_FALSE(scheme->claims(POSLAB_BOUNDED));
    CHECK(scheme->weights().empty());
  }
}

TEST_CASE("alibi: nothing is learned, and a network that is trained with it may ask for its gradient") {
  for (const char* form : {"causal", "symmetric"}) {
    const auto scheme = alibi(form, 2);
    CHECK(scheme->weights().empty());
    CHECK_FALSE(scheme->has_trainable_weights());
    REQUIRE(scheme->has_gradient(host::Operation::bias));
    const auto positions = check::consecutive(5);
    const auto seed = check::random({2, 5, 5}, "g");
    CHECK_NOTHROW(scheme->bias_gradient<double>(context, {positions, positions, 0}, {}, seed, {}));
  }
}
