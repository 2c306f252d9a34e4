// SPDX-License-Identifier: Apache-2.0
// A variant's life and its facts. Its operations are in forward.cpp and gradient.cpp.
#include "poslab/host/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "calls/outcome.hpp"
#include "declared.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

void require_model(const std::string& id, const Model& model) {
  const auto refuse = [&](const std::string& reason) { throw data::Refused(fmt::format("scheme \"{}\"", id), reason); };
  if (model.model_width < 1) refuse(fmt::format("the model width is {}, but must be at least 1", model.model_width));
  if (model.heads < 1) refuse(fmt::format("the model has {} heads, but must have at least 1", model.heads));
  if (model.train_length < 1) refuse(fmt::format("the train length is {}, but must be at least 1", model.train_length));
  if (model.model_width % model.heads != 0)
    refuse(fmt::format("{} heads do not divide the model width {}", model.heads, model.model_width));
}

}  // namespace

const char* to_text(Operation operation) {
  switch (operation) {
    case Operation::encode: return "encode";
    case Operation::transform: return "transform";
    case Operation::bias: return "bias";
    case Operation::score: return "score";
    case Operation::mix: return "mix";
  }
  return "?";
}

const char* to_text(Side side) {
  switch (side) {
    case Side::query: return "queries";
    case Side::key: return "keys";
    case Side::value: return "values";
    case Side::output: return "outputs";
  }
  return "?";
}

Scheme::Scheme(std::shared_ptr<const Plugin> plugin, const data::Values& parameters, const Model& model)
    : plugin_(std::move(plugin)),
      parameters_(complete(plugin_->info(), parameters)),
      model_(model),
      instance_(blank_instance()) {
  require_model(info().id, model_);
  const std::vector<poslab_value> values = to_boundary(info().parameters, parameters_);
  const poslab_model attached = to_boundary(model_);
  const auto create = [&](poslab_error* error) { return plugin_->create(values.data(), &attached, &instance_, error); };
  expect_ok(create, [&] { return fmt::format("scheme \"{}\"", info().id); });
  try {
    check_instance(plugin_->table(), instance_);
    weights_ = declared_weights(instance_);
  } catch (const Malformed& broken) {
    plugin_->table().destroy(instance_.self);
    throw Malformed(info().id, broken);
  }
}

Scheme::~Scheme() {
  const FloatingPointMode before = FloatingPointMode::now();
  plugin_->table().destroy(instance_.self);
  if (!(FloatingPointMode::now() == before)) restore_floating_point_mode();
}

const data::SchemeInfo& Scheme::info() const { return plugin_->info(); }

bool Scheme::has(Operation operation) const { return (instance_.operations >> static_cast<int>(operation) & 1U) != 0; }

bool Scheme::has_gradient(Operation operation) const {
  return has(operation) && plugin_->table().operations[static_cast<int>(operation)].gradient != nullptr;
}

bool Scheme::transforms(Side side) const {
  constexpr unsigned unsaid = 1U << POSLAB_QUERY | 1U << POSLAB_KEY;
  const unsigned sides = instance_.sides ? instance_.sides : unsaid;
  return has(Operation::transform) && (sides >> static_cast<unsigned>(side) & 1U) != 0;
}

bool Scheme::looks_at_positions() const {
  return std::any_of(std::begin(all_operations), std::end(all_operations),
                     [&](Operation operation) { return has(operation); });
}

double Scheme::logit_scale() const {
  return instance_.logit_scale > 0 ? instance_.logit_scale : 1 / std::sqrt(static_cast<double>(model_.head_width()));
}

double Scheme::embedding_scale() const { return instance_.embedding_scale > 0 ? instance_.embedding_scale : 1; }

double Scheme::initial_query_scale() const {
  return instance_.initial_query_scale > 0 ? instance_.initial_query_scale : 1;
}

std::span<const double> Scheme::inverse_frequency() const {
  return {instance_.inverse_frequency, static_cast<std::size_t>(instance_.inverse_frequency_count)};
}

bool Scheme::draws_weights() const {
  return std::any_of(weights_.begin(), weights_.end(),
                     [](const WeightInfo& w) { return w.initialisation != POSLAB_CONSTANT; });
}

bool Scheme::has_trainable_weights() const {
  return std::any_of(weights_.begin(), weights_.end(), [](const WeightInfo& w) { return !w.frozen; });
}

std::optional<base::Refusal> Scheme::why_not_mask(bool causal) const {
  if (causal && mask() == Mask::bidirectional_only)
    return fmt::format("scheme \"{}\" means nothing under a causal mask", info().id);
  if (!causal && mask() == Mask::causal_only)
    return fmt::format("scheme \"{}\" means something under a causal mask only", info().id);
  return std::nullopt;
}

Context Scheme::context(Index length) const { return {length, model_.train_length, mask() == Mask::causal_only}; }

}  // namespace poslab::host
