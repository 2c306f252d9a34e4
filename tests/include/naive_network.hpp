// SPDX-License-Identifier: Apache-2.0
// The network of a trained cell, a number at a time, from the arrays that the cell kept: pre-norm layers with layer
// norm, biases, GELU by tanh and a head of its own, as the axes have them by default. Positions enter by two functions.
// Dimension letters: T tokens, D model width, H heads, K head width, F feed-forward, V vocabulary.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "poslab/data/record.hpp"

namespace naive {

using Vector = std::vector<double>;

class Network {
 public:
  Network(const poslab::data::Record& record, std::size_t heads, bool causal)
      : arrays_(record.kept()), heads_(heads), causal_(causal) {}

  double embedding_scale = 1;                                                                 ///< factor on embeddings
  std::function<double(std::size_t p, std::size_t d)> code = [](auto, auto) { return 0.0; };  ///< added to tokens
  std::function<double(std::size_t h, std::size_t i, std::size_t j)> bias = [](auto, auto, auto) { return 0.0; };
  /// Sees how much token i of a layer takes from token j.
  std::function<void(std::size_t l, std::size_t h, std::size_t i, std::size_t j, double attention)> look =
      [](auto, auto, auto, auto, auto) {};

  /// Log probabilities [T][V] of what is said of each token.
  std::vector<Vector> says(const std::vector<std::int32_t>& tokens) const {
    std::vector<Vector> x;
    for (std::size_t t = 0; t < tokens.size(); ++t) x.push_back(embedded(tokens[t], t));
    for (std::size_t l = 0; find("network/layer" + std::to_string(l) + "/query/weight"); ++l) layer(l, x);
    std::vector<Vector> said;
    for (const Vector& token : x)
      said.push_back(log_softmax(linear("network/unembedding", norm("network/norm", token))));
    return said;
  }

  /// The steps of it: a token as it enters the layers, a norm, a linear layer, and the streams after a layer.
  Vector embedded(std::int32_t token, std::size_t p) const {
    Vector x = row("network/token_embedding", static_cast<std::size_t>(token));
    for (std::size_t d = 0; d < x.size(); ++d) x[d] = embedding_scale * x[d] + code(p, d);
    return x;
  }
  Vector linear(const std::string& name, const Vector& x) const {
    const poslab::data::KeptArray &weight = find(name) ? at(name) : at(name + "/weight"),
                                  *bias_of = find(name + "/bias");
    Vector y;
    for (std::size_t o = 0; o < static_cast<std::size_t>(weight.shape[0]); ++o) {
      double sum = bias_of ? bias_of->value(o) : 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += weight.value(o * x.size() + i) * x[i];
      y.push_back(sum);
    }
    return y;
  }
  Vector norm(const std::string& name, const Vector& x) const {
    double mean = 0, variance = 0;
    for (const double number : x) mean += number / static_cast<double>(x.size());
    for (const double number : x) variance += (number - mean) * (number - mean) / static_cast<double>(x.size());
    Vector y;
    for (std::size_t d = 0; d < x.size(); ++d)
      y.push_back(at(name + "/weight").value(d) * (x[d] - mean) / std::sqrt(variance + 1e-5) +
                  at(name + "/bias").value(d));
    return y;
  }
  void layer(std::size_t l, std::vector<Vector>& x) const {
    const std::string name = "network/layer" + std::to_string(l) + "/";
    std::vector<Vector> query, key, value;
    for (const Vector& token : x) {
      const Vector normed = norm(name + "norm1", token);
      query.push_back(linear(name + "query", normed));
      key.push_back(linear(name + "key", normed));
      value.push_back(linear(name + "value", normed));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      add(x[i], linear(name + "output", mixed(l, query[i], key, value, i)));
      Vector up = linear(name + "up", norm(name + "norm2", x[i]));
      for (double& u : up) u = u / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (u + 0.044715 * u * u * u)));
      add(x[i], linear(name + "down", up));
    }
  }

 private:
  const poslab::data::KeptArray* find(const std::string& name) const { return poslab::data::find_array(arrays_, name); }
  const poslab::data::KeptArray& at(const std::string& name) const {
    if (!find(name)) throw std::logic_error("the cell kept no " + name);
    return *find(name);
  }
  Vector row(const std::string& name, std::size_t r) const {
    const poslab::data::KeptArray& array = at(name);
    const auto width = static_cast<std::size_t>(array.shape[1]);
    Vector out(width);
    for (std::size_t i = 0; i < width; ++i) out[i] = array.value(r * width + i);
    return out;
  }
  static Vector log_softmax(Vector z) {
    const double most = *std::max_element(z.begin(), z.end());
    double sum = 0;
    for (const double number : z) sum += std::exp(number - most);
    for (double& number : z) number -= most + std::log(sum);
    return z;
  }
  static void add(Vector& x, const Vector& y) {
    for (std::size_t d = 0; d < x.size(); ++d) x[d] += y[d];
  }

  // What the heads of query i gather, side by side.
  Vector mixed(std::size_t l, const Vector& query, const std::vector<Vector>& key, const std::vector<Vector>& value,
               std::size_t i) const {
    const std::size_t D = query.size(), K = D / heads_, seen = causal_ ? i + 1 : key.size();
    Vector out(D);
    for (std::size_t h = 0; h < heads_; ++h) {
      Vector logits(seen);
      for (std::size_t j = 0; j < seen; ++j) {
        for (std::size_t k = h * K; k < (h + 1) * K; ++k) logits[j] += query[k] * key[j][k];
        logits[j] = logits[j] / std::sqrt(static_cast<double>(K)) + bias(h, i, j);
      }
      logits = log_softmax(logits);
      for (std::size_t j = 0; j < seen; ++j) look(l, h, i, j, std::exp(logits[j]));
      for (std::size_t j = 0; j < seen; ++j)
        for (std::size_t k = h * K; k < (h + 1) * K; ++k) out[k] += std::exp(logits[j]) * value[j][k];
    }
    return out;
  }

  const std::vector<poslab::data::KeptArray>& arrays_;
  std::size_t heads_;
  bool causal_;
};

/// ALiBi's biases for a power of two of heads, in a form that is meant for a causal mask.
inline double alibi(std::size_t heads, std::size_t h, std::size_t i, std::size_t j) {
  const double distance = static_cast<double>(i) - static_cast<double>(j);
  return -std::exp2(-8 * static_cast<double>(h + 1) / static_cast<double>(heads)) * distance;
}

/// The sinusoids of Vaswani et al.
inline double sinusoid(std::size_t p, std::size_t d, std::size_t width) {
  const double angle =
      static_cast<double>(p) * std::pow(1e4, -static_cast<double>(d - d % 2) / static_cast<double>(width));
  return d % 2 ? std::cos(angle) : std::sin(angle);
}

}  // namespace naive
