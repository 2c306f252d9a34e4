// SPDX-License-Identifier: Apache-2.0
// Trains one of our networks along a golden trace. What a trace is, its attributes say; its name means nothing.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>

#include "poslab/host/library.hpp"
#include "poslab/network/network.hpp"
#include "poslab/training/adamw.hpp"
#include "trace.hpp"

namespace poslab::golden {
namespace {

using network::Configuration;
using network::Parameters;

network::Configuration configuration_of(const Json& a, const Trace& trace) {
  Configuration c;
  c.vocabulary = a.at("vocab");
  c.model_width = a.at("d_model");
  c.heads = a.at("n_heads");
  c.layers = a.at("n_layers");
  c.feed_forward = trace.init.at("layer0.up.weight").shape.at(0);
  c.train_length = a.at("train_len");
  c.causal = a.value("causal", true);
  c.norm = a.value("norm", "layer") == "rms" ? network::Norm::rms : network::Norm::layer;
  c.activation = a.value("gelu", "tanh") == "none" ? network::Activation::gelu_exact : network::Activation::gelu_tanh;
  c.tied = a.value("tied", false);
  c.embedding_scale =
      a.value("embedding_scale", "one") == "one" ? network::EmbeddingScale::one : network::EmbeddingScale::sqrt_width;
  c.biases = a.value("bias", true);
  return c;
}

// Our scheme and its parameters for a trace's.
struct Wanted {
  std::string id;
  data::Values parameters;
  std::map<std::string, std::string> weights;  // ours by the trace's
};

data::Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_array()) return json.get<std::vector<double>>();
  return json.get<std::string>();
}

// A trace that says parameters has the names of ours, of its scheme's arrays, too.
Wanted wanted(const Json& a) {
  const std::string scheme = a.at("scheme");
  if (a.contains("parameters")) {
    Wanted ours{scheme, {}, {}};
    const Json parameters = Json::parse(a.at("parameters").get<std::string>());
    for (const auto& [name, value] : parameters.items()) ours.parameters.set(name, value_of(value));
    return ours;
  }
  const bool causal = a.value("causal", true), per_layer = a.value("per_layer", false);
  const std::int64_t rotary_width = a.value("rotary_width", 0);
  if (scheme == "none") return {};
  if (scheme == "sinusoidal") return {scheme, {}, {}};
  if (scheme == "learned") return {scheme, {{"max_length", std::int64_t{a.at("max_len")}}}, {{"table", "table"}}};
  if (scheme == "rope") {
    data::Values parameters{{"style", a.value("rope_style", "half-split")}};
    if (rotary_width > 0) parameters.set("rotary_width", rotary_width);
    return {scheme, parameters, {}};
  }
  if (scheme == "alibi") return {scheme, {{"form", std::string(causal ? "causal" : "symmetric")}}, {}};
  if (scheme == "kerple") return {scheme, {{"form", std::string("log")}}, {{"a", "a"}, {"p", "p"}}};
  if (scheme == "t5")
    return {scheme, {{"bidirectional", !causal}, {"scaled", true}, {"per_layer", per_layer}}, {{"bias", "table"}}};
  if (scheme == "shaw")
    return {scheme, {{"per_layer", per_layer}}, {{"keys", "relative_keys"}, {"values", "relative_values"}}};
  throw std::runtime_error("golden trace: no scheme of ours for " + scheme);
}

// "layer1.scheme.keys" -> "layer1.scheme.relative_keys"
std::string our_name(const std::string& name, const Wanted& scheme) {
  const std::size_t at = name.find("scheme.");
  if (at == std::string::npos) return name;
  const auto other = scheme.weights.find(name.substr(at + 7));
  return other == scheme.weights.end() ? name : name.substr(0, at + 7) + other->second;
}

class Training {
 public:
  explicit Training(const Trace& trace)
      : trace_(trace), a_(trace.attributes), c_(configuration_of(a_, trace)), wanted_(wanted(a_)) {
    if (!wanted_.id.empty())
      scheme_ =
          std::make_unique<host::Scheme>(host::Plugin::open(POSLAB_PLUGIN_DIR "/" + wanted_.id + ".so"),
                                         wanted_.parameters, host::Model{c_.model_width, c_.heads, c_.train_length});
    layout_ = std::make_unique<network::Layout>(c_, scheme_.get());
    parameters_ = std::make_unique<Parameters<double>>(*layout_);
    if (layout_->parameters().size() != trace.init.size()) throw std::runtime_error("golden trace: other parameters");
    for (const auto& [name, dataset] : trace.init) {
      const auto numbers = numbers_of(name);
      std::copy(dataset.numbers.begin(), dataset.numbers.end(), numbers.begin());
    }
  }

  TraceError run() {
    const Dataset& tokens = trace_.tokens;
    const bool shifted = trace_.targets.numbers.empty();
    const Index steps = tokens.shape.at(0), B = tokens.shape.at(1), T = tokens.shape.at(2) - (shifted ? 1 : 0);
    network::Network<double> network(c_, scheme_.get(), *layout_, {B, T, true});
    training::AdamW<double> optimiser(
        *layout_, {a_.at("beta1"), a_.at("beta2"), a_.at("eps"), a_.at("weight_decay"), a_.at("clip")});
    Parameters<double> gradient(*layout_);
    TraceError error;
    for (Index step = 0; step < steps; ++step) {
      fill(step, B, T, shifted);
      const auto losses = network.differentiate(*parameters_, batch(B, T), gradient);
      const double loss = network::mean_loss(losses, batch(B, T).loss_mask);
      const double norm = optimiser.step(a_.at("lr"), gradient, *parameters_);
      const auto at = static_cast<std::size_t>(step);
      error.loss = std::max(error.loss, relative(loss, trace_.loss.numbers[at]));
      error.grad_norm = std::max(error.grad_norm, relative(norm, trace_.grad_norm.numbers[at]));
    }
    compare_parameters(error);
    if (!trace_.eval.empty()) compare_by_position(error);
    return error;
  }

 private:
  static double relative(double here, double there) { return std::abs(here - there) / std::abs(there); }

  base::View<double> numbers_of(const std::string& name) {
    for (network::ParameterIndex index = 0; index < static_cast<network::ParameterIndex>(layout_->parameters().size());
         ++index)
      if (layout_->at(index).name == our_name(name, wanted_)) return (*parameters_)[index];
    throw std::runtime_error("golden trace: no parameter of ours for " + name);
  }

  void fill(Index step, Index B, Index T, bool shifted) {
    tokens_.assign(static_cast<std::size_t>(B * T), 0);
    targets_ = tokens_;
    counts_.assign(tokens_.size(), 1);
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t) {
        const auto to = static_cast<std::size_t>(b * T + t);
        const auto from = static_cast<std::size_t>((step * B + b) * (shifted ? T + 1 : T) + t);
        tokens_[to] = static_cast<std::int32_t>(trace_.tokens.numbers[from]);
        targets_[to] =
            static_cast<std::int32_t>(shifted ? trace_.tokens.numbers[from + 1] : trace_.targets.numbers[from]);
        if (!shifted) counts_[to] = trace_.mask.numbers[from] != 0;
      }
  }

  network::Batch batch(Index B, Index T) const {
    network::Batch seen{{tokens_.data(), {B, T}}, {targets_.data(), {B, T}}, {counts_.data(), {B, T}}};
    const Dataset& positions = trace_.positions;
    if (!positions.numbers.empty()) seen.positions = {positions.numbers.data(), {T, positions.shape.at(1)}};
    return seen;
  }

  // Relative to the largest entry of the array, or to the way that the optimiser can go in all its steps if that is
  // more: a key's bias moves all logits of a query alike, so its gradient is 0 but for rounding, which is all that it
  // becomes.
  void compare_parameters(TraceError& error) {
    for (const auto& [name, dataset] : trace_.final) {
      const auto ours = numbers_of(name);
      double largest = a_.at("lr").get<double>() * static_cast<double>(trace_.loss.numbers.size()), off = 0;
      for (std::size_t i = 0; i < dataset.numbers.size(); ++i) {
        largest = std::max(largest, std::abs(dataset.numbers[i]));
        off = std::max(off, std::abs(dataset.numbers[i] - ours.data[i]));
      }
      if (off / largest > error.parameters) {
        error.parameters = off / largest;
        error.worst_parameter = name;
      }
    }
  }

  void compare_by_position(TraceError& error) {
    const Dataset& tokens = trace_.eval.at("tokens");
    const std::vector<double>& wanted_losses = trace_.eval.at("loss_by_position").numbers;
    const Index B = tokens.shape.at(0), T = tokens.shape.at(1) - 1;
    std::vector<std::int32_t> seen, next;
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t) {
        seen.push_back(static_cast<std::int32_t>(tokens.numbers[static_cast<std::size_t>(b * (T + 1) + t)]));
        next.push_back(static_cast<std::int32_t>(tokens.numbers[static_cast<std::size_t>(b * (T + 1) + t + 1)]));
      }
    const std::vector<std::uint8_t> all(seen.size(), 1);
    network::Network<double> network(c_, scheme_.get(), *layout_, {B, T, false});
    const auto losses =
        network.evaluate(*parameters_, {{seen.data(), {B, T}}, {next.data(), {B, T}}, {all.data(), {B, T}}});
    for (Index t = 0; t < T; ++t) {
      double mean = 0;
      for (Index b = 0; b < B; ++b) mean += losses[static_cast<std::size_t>(b * T + t)].loss / static_cast<double>(B);
      error.loss_by_position =
          std::max(error.loss_by_position, relative(mean, wanted_losses[static_cast<std::size_t>(t)]));
    }
  }

  const Trace& trace_;
  const Json& a_;
  Configuration c_;
  Wanted wanted_;
  std::unique_ptr<host::Scheme> scheme_;
  std::unique_ptr<network::Layout> layout_;
  std::unique_ptr<Parameters<double>> parameters_;
  std::vector<std::int32_t> tokens_, targets_;
  std::vector<std::uint8_t> counts_;
};

}  // namespace

TraceError train_along(const Trace& trace) { return Training(trace).run(); }

}  // namespace poslab::golden
