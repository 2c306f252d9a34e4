// SPDX-License-Identifier: Apache-2.0
// Every gradient, by hand or by the tape, against central differences of the operation itself, in float64.
#include <functional>

#include "attached.hpp"
#include "catch.hpp"
#include "schemes.hpp"

namespace {

using check::Array;
using check::Attached;
using check::Call;
using check::count_up;
using poslab::Operation;
using poslab::sdk::Gradients;

/// d loss / d numbers, where `loss` reads `numbers`.
std::vector<double> differences(std::vector<double>& numbers, const std::function<double()>& loss) {
  std::vector<double> result;
  for (double& x : numbers) {
    const double kept = x, step = 1e-5;
    x = kept + step;
    const double above = loss();
    x = kept - step;
    const double below = loss();
    x = kept;
    result.push_back((above - below) / (2 * step));
  }
  return result;
}

void close(const std::vector<double>& derived, const std::vector<double>& expected) {
  REQUIRE(derived.size() == expected.size());
  double largest = 0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  REQUIRE(largest > 1e-3);  // a gradient of zeros would prove nothing
  for (std::size_t i = 0; i < derived.size(); ++i) {
    CAPTURE(i);
    CHECK(derived[i] == check::Approx(expected[i]).margin(1e-8 * (1 + largest)).epsilon(1e-7));
  }
}

double product(const Array<double>& a, const Array<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i) sum += a.numbers[i] * b.numbers[i];
  return sum;
}

std::vector<Array<double>> like(const std::vector<Array<double>>& arrays) {
  std::vector<Array<double>> result = arrays;
  for (Array<double>& array : result)
    std::fill(array.numbers.begin(), array.numbers.end(), 0.25);  // gradients are added
  return result;
}

void check_weights(const std::vector<Array<double>>& gradients, std::vector<Array<double>>& weights,
                   const std::function<double()>& loss) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CAPTURE(i);
    std::vector<double> derived = gradients[i].numbers;
    for (double& x : derived) x -= 0.25;
    close(derived, differences(weights[i].numbers, loss));
  }
}

template <class T, Gradients gradients>
void check_encode() {
  const Attached scheme(check::table_of<T, gradients>, 4, 2);
  auto weights = scheme.scattered_weights<double>();
  auto added = like(weights);
  Array<double> positions({3, 1}, {2, 5, 2}), out({3, 4}), seed({3, 4});
  seed.scatter(0.2);
  Call<double> call;
  call.fields.positions = &positions.view;
  call.weights(weights);
  call.fields.output = &out.view;
  const auto loss = [&] {
    scheme.run(Operation::encode, call.fields);
    return product(out, seed);
  };
  Call<double> backward = call;
  backward.weights(weights);
  backward.weight_gradients(added);
  backward.fields.output_gradient = &seed.view;
  scheme.run(Operation::encode, backward.fields, true);
  check_weights(added, weights, loss);
}

template <class T, Gradients gradients = Gradients::by_hand>
void check_transform(poslab_side side, double choice) {
  const Attached scheme(check::table_of<T, gradients>, 8, 2, {{"pairing", choice}});
  auto weights = scheme.scattered_weights<double>();
  auto added = like(weights);
  Array<double> positions({3, 1}, {0, 1.5, 40}), x({2, 3, 4}), seed({2, 3, 4}), out({2, 3, 4});
  x.scatter(0.1), seed.scatter(0.2);
  Call<double> call;
  call.fields.side = side;
  call.fields.positions = &positions.view;
  call.weights(weights);
  const auto loss = [&] {
    out = x;
    call.fields.output = &out.view;
    scheme.run(Operation::transform, call.fields);
    return product(out, seed);
  };
  Array<double> rotated_back = seed;
  Call<double> backward = call;
  backward.weights(weights);
  backward.weight_gradients(added);
  backward.fields.output = &rotated_back.view;
  (side == POSLAB_QUERY ? backward.fields.query : backward.fields.key) = &x.view;
  scheme.run(Operation::transform, backward.fields, true);
  close(rotated_back.numbers, differences(x.numbers, loss));
  check_weights(added, weights, loss);

  // The gradient by x needs neither x nor the weights' gradients.
  Array<double> again = seed;
  Call<double> plain = call;
  plain.weights(weights);
  plain.fields.output = &again.view;
  scheme.run(Operation::transform, plain.fields, true);
  CHECK(again.numbers == rotated_back.numbers);
}

template <class T, Gradients gradients>
void check_bias(const Array<double>& queries, const Array<double>& keys) {
  const Attached scheme(check::table_of<T, gradients>, 4, 2);
  const std::int64_t Nq = queries.view.shape[0], Nk = keys.view.shape[0];
  auto weights = scheme.scattered_weights<double>();
  auto added = like(weights);
  Array<double> out({2, Nq, Nk}), seed({2, Nq, Nk});
  seed.scatter(0.2);
  Call<double> call;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.weights(weights);
  call.fields.output = &out.view;
  const auto loss = [&] {
    scheme.run(Operation::bias, call.fields);
    return product(out, seed);
  };
  Call<double> backward = call;
  backward.weights(weights);
  backward.weight_gradients(added);
  backward.fields.output_gradient = &seed.view;
  scheme.run(Operation::bias, backward.fields, true);
  check_weights(added, weights, loss);
}

/// The loss is taken of logits that begin as scale * q.k, as the host makes them; the host's own part of the gradient,
/// what it passes on for a scheme that adds, is added here.
template <class T, Gradients gradients>
void check_score(bool writes_anew) {
  const Attached scheme(check::table_of<T, gradients>, 6, 2);
  const std::int64_t H = 2, Nq = 2, Nk = 4, K = 3, D = 6;
  auto weights = scheme.scattered_weights<double>();
  auto added = like(weights);
  Array<double> queries({Nq, 1}, {1, 2}), keys = count_up(Nk), x({Nk, D}), q({H, Nq, K}), k({H, Nk, K});
  x.scatter(0.1), q.scatter(0.25), k.scatter(0.35);
  Array<double> logits({H, Nq, Nk}), seed({H, Nq, Nk});
  seed.scatter(0.2);
  Call<double> call;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.fields.first_query = 1;
  call.fields.scale = 0.7;
  call.fields.layer_input = &x.view;
  call.fields.query = &q.view;
  call.fields.key = &k.view;
  call.fields.output = &logits.view;
  call.weights(weights);
  const auto loss = [&] {
    for (std::int64_t h = 0; h < H; ++h)
      for (std::int64_t i = 0; i < Nq; ++i)
        for (std::int64_t j = 0; j < Nk; ++j) {
          logits(h, i, j) = 0;
          for (std::int64_t c = 0; c < K; ++c) logits(h, i, j) += 0.7 * q(h, i, c) * k(h, j, c);
        }
    scheme.run(Operation::score, call.fields);
    return product(logits, seed);
  };
  Array<double> dx({Nk, D}), dq({H, Nq, K}), dk({H, Nk, K});
  Call<double> backward = call;
  backward.weights(weights);
  backward.weight_gradients(added);
  backward.fields.output = nullptr;
  backward.fields.output_gradient = &seed.view;
  backward.fields.layer_input_gradient = &dx.view;
  backward.fields.query_gradient = &dq.view;
  backward.fields.key_gradient = &dk.view;
  scheme.run(Operation::score, backward.fields, true);
  if (!writes_anew)
    for (std::int64_t h = 0; h < H; ++h)
      for (std::int64_t i = 0; i < Nq; ++i)
        for (std::int64_t j = 0; j < Nk; ++j)
          for (std::int64_t c = 0; c < K; ++c) {
            dq(h, i, c) += 0.7 * seed(h, i, j) * k(h, j, c);
            dk(h, j, c) += 0.7 * seed(h, i, j) * q(h, i, c);
          }
  close(dq.numbers, differences(q.numbers, loss));
  close(dk.numbers, differences(k.numbers, loss));
  if (writes_anew) close(dx.numbers, differences(x.numbers, loss));
  if (std::string(T::card.id) != "vectors")
    check_weights(added, weights, loss);
  else {  // its second array is for the values only
    std::vector<double> derived = added[0].numbers;
    for (double& number : derived) number -= 0.25;
    close(derived, differences(weights[0].numbers, loss));
    CHECK(added[1].numbers == std::vector<double>(added[1].numbers.size(), 0.25));
  }
}

template <Gradients gradients>
void check_mix() {
  const Attached scheme(check::table_of<check::VectorsByHand, gradients>, 6, 2);
  const std::int64_t H = 2, Nq = 2, Nk = 4, K = 3;
  auto weights = scheme.scattered_weights<double>();
  auto added = like(weights);
  Array<double> queries({Nq, 1}, {1, 2}), keys = count_up(Nk), attention({H, Nq, Nk}), out({H, Nq, K}),
                                          seed({H, Nq, K});
  attention.scatter(0.1), seed.scatter(0.2);
  Call<double> call;
  call.fields.query_positions = &queries.view;
  call.fields.key_positions = &keys.view;
  call.fields.attention = &attention.view;
  call.weights(weights);
  const auto loss = [&] {
    out = Array<double>({H, Nq, K}, 3.0);  // the scheme adds
    call.fields.output = &out.view;
    scheme.run(Operation::mix, call.fields);
    return product(out, seed);
  };
  Array<double> by_attention({H, Nq, Nk});
  Call<double> backward = call;
  backward.weights(weights);
  backward.weight_gradients(added);
  backward.fields.output_gradient = &seed.view;
  backward.fields.attention_gradient = &by_attention.view;
  scheme.run(Operation::mix, backward.fields, true);
  close(by_attention.numbers, differences(attention.numbers, loss));
  std::vector<double> derived = added[1].numbers;
  for (double& number : derived) number -= 0.25;
  close(derived, differences(weights[1].numbers, loss));
}

}  // namespace

TEST_CASE("encode's gradient is that of its differences") {
  check_encode<check::LookupByHand, Gradients::derived>();
  check_encode<check::LookupByHand, Gradients::by_hand>();
}

TEST_CASE("rotate's gradient is the transposed rotation, and that of its weights") {
  const auto side = GENERATE(POSLAB_QUERY, POSLAB_KEY);
  check_transform<check::LearnedRotation>(side, 0);
  check_transform<check::LearnedRotation>(side, 1);
  check_transform<check::RotationOfHeads>(side, 0);
  check_transform<check::RotationOfHeads>(side, 1);
  check_transform<check::RotationAtTheEnd>(side, 0);
  check_transform<check::RotationAtTheEnd>(side, 1);
}

TEST_CASE("transform's gradient is that of its differences") {
  check_transform<check::ShearByHand, Gradients::derived>(POSLAB_KEY, 0);
  check_transform<check::ShearByHand, Gradients::by_hand>(POSLAB_KEY, 0);
  check_transform<check::ShearAllByHand, Gradients::derived>(POSLAB_KEY, 0);
  check_transform<check::ShearAllByHand, Gradients::by_hand>(POSLAB_KEY, 0);
}

TEST_CASE("bias's gradient is that of its differences") {
  SECTION("whole positions: by offsets") {
    check_bias<check::ClippedByHand, Gradients::derived>(count_up(5, 3), count_up(9));
    check_bias<check::ClippedByHand, Gradients::by_hand>(count_up(5, 3), count_up(9));
  }
  SECTION("whole positions with gaps") {
    const Array<double> gaps({5, 1}, {0, 2, 3, 7, 8});
    check_bias<check::ClippedByHand, Gradients::derived>(gaps, gaps);
    check_bias<check::ClippedByHand, Gradients::by_hand>(gaps, gaps);
  }
  SECTION("far apart: pair by pair") {
    const Array<double> far({5, 1}, {0, 2, 3, 4, 800});
    check_bias<check::ClippedByHand, Gradients::derived>(far, far);
    check_bias<check::ClippedByHand, Gradients::by_hand>(far, far);
  }
  SECTION("offsets in two axes, all heads at once") {
    const Array<double> grid({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
    check_bias<check::GridByHand, Gradients::derived>(grid, grid);
    check_bias<check::GridByHand, Gradients::by_hand>(grid, grid);
  }
  SECTION("not of the offset alone") {
    check_bias<check::LogDistance, Gradients::by_hand>(count_up(3, 2), count_up(6));
    check_bias<check::LogDistance, Gradients::by_hand>(Array<double>({2, 2}, {0.5, 1, 2, 3}),
                                                       Array<double>({3, 2}, {0, 0, 1, 1, 5, 4}));
  }
}

TEST_CASE("score's gradient is that of its differences") {
  check_score<check::VectorsByHand, Gradients::derived>(false);
  check_score<check::VectorsByHand, Gradients::by_hand>(false);
  check_score<check::Sharpen, Gradients::derived>(false);
  check_score<check::SharpenBiased<false>, Gradients::derived>(false);
  CHECK_THROWS_WITH((check_score<check::SharpenBiased<true>, Gradients::derived>(false)),
                    check::contains("is not derived beside a bias"));
  check_score<check::Anew, Gradients::derived>(true);
}

TEST_CASE("mix's gradient is that of its differences") {
  check_mix<Gradients::derived>();
  check_mix<Gradients::by_hand>();
}
