// SPDX-License-Identifier: Apache-2.0
// What repeated-token says of learning and of counting once more, by plain loops: gradients by finite differences of a
// loss, and the constructions of theorems 1 and 2, on 1000 random small cases.
// Dimension vocabulary: N tokens, D model width, H heads, K head width, V vocabulary.
#include <numbers>

#include "catch.hpp"
#include "naive_scheme.hpp"
#include "poslab/network/parameters.hpp"
#include "small_cases.hpp"

namespace {

using namespace naive;
using poslab::data::Value;
using small_cases::Dice;
using small_cases::difference;
namespace network = poslab::network;

constexpr Index vocabulary = 5;

// What the queries of one layer gather from the keys at and before them: [H][N][K]. `input` [N][D] enters the layer.
Heads attended(const Subject& of, Index layer, const Heads& query, const Heads& key, const Heads& value,
               const Rows& input) {
  const auto N = static_cast<Index>(of.N);
  const Sight sight{of, {N, N, true}, layer};
  const Heads q = sight.transformed(host::Side::query, of.positions, query),
              k = sight.transformed(host::Side::key, of.positions, key),
              v = sight.transformed(host::Side::value, of.positions, value);
  const double scale = of.acts() ? of.scheme.logit_scale() : 1 / std::sqrt(static_cast<double>(of.K));
  Heads out(of.H, filled(of.N, of.K, 0));
  for (std::size_t i = 0; i < of.N; ++i) {
    const Rows logits = sight.logits_of(i, of.positions, q, k, input, scale);
    Heads shares(of.H), here(of.H);
    for (std::size_t h = 0; h < of.H; ++h) {
      Numbers share(of.N, 0);
      double most = logits[h][0], sum = 0;
      for (std::size_t j = 0; j <= i; ++j) most = std::max(most, logits[h][j]);
      for (std::size_t j = 0; j <= i; ++j) sum += share[j] = std::exp(logits[h][j] - most);
      for (std::size_t j = 0; j <= i; ++j) {
        share[j] /= sum;
        for (std::size_t a = 0; a < of.K; ++a) out[h][i][a] += share[j] * v[h][j][a];
      }
      shares[h] = {share}, here[h] = {out[h][i]};
    }
    if (!of.has(Operation::mix)) continue;
    Array<double> mixed = packed(here);
    const Array<double> at = packed({of.positions[i]}, 1), all = packed(of.positions, 1), attention = packed(shares);
    of.scheme.mix<double>(sight.context, {at, all, static_cast<Index>(i)}, attention, sight.weights(), mixed, layer);
    for (std::size_t h = 0; h < of.H; ++h)
      for (std::size_t a = 0; a < of.K; ++a) out[h][i][a] = mixed.data()[h * of.K + a];
  }
  return sight.transformed(host::Side::output, of.positions, out);
}

// Words with 1 in channel 1 and BOS marked in channel 2, `third` of t = 1 .. N in channel 3, and the scheme's codes.
template <class Third>
Rows states(const Subject& of, const Third& third) {
  const Rows word = unpacked(of.draws.normal("word", {2, static_cast<Index>(of.D)}));
  const auto N = static_cast<Index>(of.N);
  Rows x = Sight{of, {N, N, true}}.codes(of.positions);
  for (std::size_t t = 0; t < of.N; ++t) {
    x[t][0] += 1;
    x[t][1] += t == 0 ? 1 : 0;
    x[t][2] += third(static_cast<double>(t + 1));
    for (std::size_t c = 3; c < of.D; ++c) x[t][c] += word[t == 0 ? 0 : 1][c];
  }
  return x;
}

double error_of_counting(const Subject& of) {
  const auto D = static_cast<Index>(of.D);
  const Rows x = states(of, [](double) { return 0.0; }), W = unpacked(of.draws.normal("query of the count", {D, D}));
  Rows query = filled(of.N, of.D, 0), key = query, value = query;
  for (std::size_t t = 0; t < of.N; ++t)
    for (std::size_t c = 0; c < of.D; ++c) {
      query[t][c] = product(W[c], x[t]) / std::sqrt(static_cast<double>(of.D));
      key[t][c] = x[t][0];
      value[t][c] = c % of.K == 0 ? x[t][1] : 0;
    }
  const Heads out = attended(of, 0, split(query, of.H), split(key, of.H), split(value, of.H), x);
  double worst = 0;
  for (const Rows& head : out)
    for (std::size_t t = 0; t < of.N; ++t)
      worst = std::max(worst, std::abs(x[t][2] + head[t][0] - 1 / static_cast<double>(t + 1)));
  return worst;
}

double error_of_distances(const Subject& of) {
  const auto N = static_cast<Index>(of.N), H = static_cast<Index>(of.H), K = static_cast<Index>(of.K);
  const Rows x = states(of, [](double t) { return t; });
  const Array<double> c = of.draws.normal("query of the distance", {H, N, K}),
                      other = of.draws.normal("key of the distance", {H, N, K});
  Heads query(of.H, filled(of.N, of.K, 0)), key = query;
  for (Index h = 0; h < H; ++h)
    for (Index t = 0; t < N; ++t) {
      const auto head = static_cast<std::size_t>(h), token = static_cast<std::size_t>(t);
      for (Index a = 2; a < K; ++a) {
        query[head][token][static_cast<std::size_t>(a)] = c(h, t, a);
        key[head][token][static_cast<std::size_t>(a)] = other(h, t, a);
      }
      query[head][token][0] = x[token][0], query[head][token][1] = -x[token][2];
      key[head][token][0] = x[token][2], key[head][token][1] = x[token][0];
    }
  const Sight sight{of, {N, N, true}};
  const Heads logits = sight.logits(of.positions, sight.transformed(host::Side::query, of.positions, query),
                                    sight.transformed(host::Side::key, of.positions, key), x, 1);
  double worst = 0;
  for (std::size_t h = 0; h < of.H; ++h)
    for (std::size_t t = 0; t < of.N; ++t)
      for (std::size_t i = 0; i <= t; ++i) {
        double content = 0;
        for (std::size_t a = 2; a < of.K; ++a) content += query[h][t][a] * key[h][i][a];
        worst = std::max(worst, std::abs(logits[h][t][i] - (content - static_cast<double>(t - i))));
      }
  return worst / static_cast<double>(of.N);
}

// y = W x, by the numbers that the network would draw; norms and biases begin with 1 and 0.
Numbers linear(const Rows& W, const Numbers& x) {
  Numbers y;
  for (const Numbers& row : W) y.push_back(product(row, x));
  return y;
}

Numbers normed(const Numbers& x) {
  double mean = 0, variance = 0;
  for (const double number : x) mean += number / static_cast<double>(x.size());
  for (const double number : x) variance += (number - mean) * (number - mean) / static_cast<double>(x.size());
  Numbers y;
  for (const double number : x) y.push_back((number - mean) / std::sqrt(variance + 1e-5));
  return y;
}

void add(Numbers& x, const Numbers& y) {
  for (std::size_t c = 0; c < x.size(); ++c) x[c] += y[c];
}

struct Layer {
  Rows query, key, value, output, up, down;
};

// The network of the training experiments over one letter, repeated, with random targets.
class Learning {
 public:
  Learning(const Subject& of, Index depth, Index feed_forward) : of_(of) {
    const auto N = static_cast<Index>(of.N), D = static_cast<Index>(of.D);
    network::Configuration configuration;
    configuration.vocabulary = vocabulary;
    configuration.model_width = D;
    configuration.heads = static_cast<Index>(of.H);
    configuration.layers = depth;
    configuration.feed_forward = std::max<Index>(1, feed_forward) * D;
    configuration.train_length = N;
    configuration.init_std = 1 / std::sqrt(static_cast<double>(D));
    const network::Layout layout(configuration, &of.scheme);
    const network::Parameters<double> drawn = network::draw_parameters<double>(layout, &of.scheme, of.draws);
    const auto rows = [&](network::ParameterIndex index) {
      const auto view = drawn[index];
      Array<double> copy{view.shape[0], view.shape[1]};
      std::copy(view.begin(), view.end(), copy.data());
      return unpacked(copy);
    };
    embedding_ = rows(layout.token_embedding);
    for (double& number : embedding_[0]) number *= layout.embedding_scale;
    unembedding_ = rows(layout.unembedding);
    for (const network::LayerIndices& indices : layout.layers)
      layers.push_back({rows(indices.query.weight), rows(indices.key.weight), rows(indices.value.weight),
                        rows(indices.output.weight), rows(indices.up.weight), rows(indices.down.weight)});
    const poslab::base::Stream stream = of.draws.contents("targets", {N});
    for (std::size_t t = 0; t < of.N; ++t) targets_.push_back(stream.below(t, vocabulary));
    codes_ = Sight{of, {N, N, true}}.codes(of.positions);
  }

  std::vector<Layer> layers;

  double loss() const {
    Rows x = codes_;
    for (Numbers& row : x) add(row, embedding_[0]);
    for (std::size_t l = 0; l < layers.size(); ++l) pass(l, x);
    double sum = 0;
    for (std::size_t t = 0; t < of_.N; ++t) {
      const Numbers logits = linear(unembedding_, normed(x[t]));
      double all = 0;
      for (const double logit : logits) all += std::exp(logit);
      sum += std::log(all) - logits[targets_[t]];
    }
    return sum / static_cast<double>(of_.N);
  }

  // The squared norm of the loss's gradient by these numbers, each moved a little up and down. By five points: a layer
  // norm of few channels turns within some 1e-3.
  double squared_gradient(Rows& numbers) const {
    constexpr double step = 2e-5;
    double squares = 0;
    for (Numbers& row : numbers)
      for (double& number : row) {
        const double kept = number;
        const auto at = [&](double steps) {
          number = kept + steps * step;
          const double there = loss();
          number = kept;
          return there;
        };
        squares += std::pow((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step), 2);
      }
    return squares;
  }

 private:
  void pass(std::size_t l, Rows& x) const {
    const Layer& layer = layers[l];
    Rows z, query, key, value;
    for (const Numbers& row : x) {
      z.push_back(normed(row));
      query.push_back(linear(layer.query, z.back()));
      key.push_back(linear(layer.key, z.back()));
      value.push_back(linear(layer.value, z.back()));
    }
    const Rows gathered =
        join(attended(of_, static_cast<Index>(l), split(query, of_.H), split(key, of_.H), split(value, of_.H), z));
    for (std::size_t t = 0; t < of_.N; ++t) {
      add(x[t], linear(layer.output, gathered[t]));
      Numbers up = linear(layer.up, normed(x[t]));
      for (double& u : up) u = u / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (u + 0.044715 * u * u * u)));
      add(x[t], linear(layer.down, up));
    }
  }

  const Subject& of_;
  Rows embedding_, unembedding_, codes_;
  std::vector<std::size_t> targets_;
};

}  // namespace

TEST_CASE("repeated-token by plain loops, 1000 small cases: counting") {
  Dice dice("repeated token");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("repeated-token", "length", 9);
    cell.axes.set("depth", Value(Numbers{1}));
    cell.axes.set("feed_forward", Value(std::int64_t{0}));
    return cell;
  };
  small_cases::for_1000(draw, [](const cells::Cell& cell, const cells::Answer& answer) {
    const Subject of(cell, cell.axes.integer("length"));
    const bool counts = of.D >= 3, tells = counts && of.K >= 2;
    REQUIRE(difference(cell, answer, "count_error", counts ? Numbers{error_of_counting(of)} : Numbers{}) == "");
    REQUIRE(difference(cell, answer, "distance_error", tells ? Numbers{error_of_distances(of)} : Numbers{}) == "");
  });
}

TEST_CASE("repeated-token by finite differences, 1000 small cases: learning") {
  Dice dice("learning from a repeated token");
  const auto draw = [&] {
    cells::Cell cell = dice.cell("repeated-token", "length", 4, 1);
    cell.axes.set("depth", Value(dice.among<Numbers>({{1}, {2}})));
    cell.axes.set("feed_forward", Value(dice.between(0, 2)));
    return cell;
  };
  int learns = 0;
  small_cases::for_1000(draw, [&](const cells::Cell& cell, const cells::Answer& answer) {
    if (!answer.has("query_key_gradient")) return;
    const auto depth = static_cast<Index>(cell.axes.list("depth").back());
    const Subject of(cell, cell.axes.integer("length"), depth);
    Learning learning(of, depth, cell.axes.integer("feed_forward"));
    double query_key = 0, value = 0;
    for (Layer& layer : learning.layers) {
      query_key += learning.squared_gradient(layer.query) + learning.squared_gradient(layer.key);
      value += learning.squared_gradient(layer.value);
    }
    const double wanted = value > 0 ? std::sqrt(query_key / value) : 0, found = answer.scalar("query_key_gradient");
    CAPTURE(small_cases::text(cell), found, wanted, value);
    // A difference is wrong by less than 1e-6 of the gradient's size, and its rounding is some 1e-11.
    REQUIRE_THAT(found, check::WithinAbs(wanted, (1e-6 + 1e-9 / std::sqrt(value)) * (1 + wanted)));
    learns += wanted > 1e-3;
  });
  CHECK(learns > check::thousand / 10);
}
