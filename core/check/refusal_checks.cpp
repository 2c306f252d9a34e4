// SPDX-License-Identifier: Apache-2.0
// What the plugin refuses, and how it says so.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "calls/make_call.hpp"
#include "list.hpp"
#include "poslab/host/library.hpp"

namespace poslab::check {
namespace {

// Models that a scheme may well refuse: odd widths, one head, one channel.
const std::vector<host::Model> odd_models{{33, 3, 64}, {7, 1, 64}, {1, 1, 1}, {4, 4, 64}};

// Whatever is not OK has a known status and a text that ends.
void require_reason(const std::string& where, int status, const poslab_error& error) {
  if (status < POSLAB_OK || status > POSLAB_FAILED)
    throw Failed(fmt::format("{}: it answered the unknown status {}", where, status));
  if (status == POSLAB_OK) return;
  const std::size_t length = strnlen(error.text, sizeof error.text);
  if (length == 0) throw Failed(fmt::format("{}: it answered {} without a reason", where, status));
  if (length == sizeof error.text) throw Failed(fmt::format("{}: the text of its error does not end", where));
}

// `create` itself, with values that the host would refuse; what it makes is destroyed.
void create_raw(Trial& trial, const std::string& where, const std::vector<poslab_value>& values,
                const host::Model& model) {
  trial.at(where);
  const poslab_plugin& table = trial.plugin()->table();
  const poslab_model attached = host::to_boundary(model);
  poslab_instance instance{};
  instance.size = sizeof instance;
  poslab_error error = blank_error();
  int status = POSLAB_OK;
  try {
    status = table.create(values.data(), &attached, &instance, &error);
  } catch (...) {
    throw Failed(fmt::format("{}: create threw an exception across the boundary", where));
  }
  require_reason(where, status, error);
  if (status == POSLAB_OK) table.destroy(instance.self);
}

bool fits_its_kind(const data::Quantity& parameter, const data::Value& value) {
  switch (parameter.kind) {
    case data::Kind::real: return std::holds_alternative<double>(value);
    case data::Kind::integer: return std::holds_alternative<std::int64_t>(value);
    case data::Kind::list: return std::holds_alternative<std::vector<double>>(value);
    case data::Kind::choice: return std::holds_alternative<std::string>(value);
    case data::Kind::flag: return false;
  }
  return false;
}

}  // namespace

std::string check_parameters(Trial& trial) {
  const data::SchemeInfo& info = trial.plugin()->info();
  const Variant usual = trial.variants().front();
  int refused = 0;
  for (const data::Quantity& parameter : info.parameters) {
    for (const data::Value& value : outside_values(parameter)) {
      const std::string what = fmt::format("{}={}", parameter.name, data::to_text(value));
      trial.at(what);
      try {
        const host::Scheme scheme(trial.plugin(), {{parameter.name, value}}, usual.model);
        throw Failed(fmt::format("{} was accepted, although it is outside: {}", what, parameter.sentence));
      } catch (const Failed&) {
        throw;
      } catch (const base::Error& refusal) {
        if (std::string(refusal.what()).find(parameter.name) == std::string::npos)
          throw Failed(fmt::format("{} was refused, but not by name: {}", what, refusal.what()));
        ++refused;
      }
      if (!fits_its_kind(parameter, value)) continue;
      // This host refuses it all; another may not, and then there must be no crash.
      data::Values all;
      for (const data::Quantity& other : info.parameters)
        all.set(other.name, other.name == parameter.name ? value : other.default_value);
      create_raw(trial, "create called without the host, with " + what, host::to_boundary(info.parameters, all),
                 usual.model);
    }
  }
  if (info.parameters.empty()) throw NotPerformed("it has no parameters");
  return fmt::format("{} values outside the ranges of {} parameters were refused, each by name", refused,
                     info.parameters.size());
}

std::string check_errors(Trial& trial) {
  const data::SchemeInfo& info = trial.plugin()->info();
  int failures = 0;
  for (Variant variant : trial.variants())
    for (const host::Model& model : odd_models) {
      variant.model = model;
      data::Values all;
      for (const data::Quantity& parameter : info.parameters) {
        const data::Value* value = variant.parameters.find(parameter.name);
        all.set(parameter.name, value ? *value : parameter.default_value);
      }
      create_raw(trial, fmt::format("{} on D={} H={}", variant.label, model.model_width, model.heads),
                 host::to_boundary(info.parameters, all), model);
    }
  // Positions that are no numbers.
  trial.for_each_instance([&](const Instance& instance) {
    for (const Operation operation : instance.operations()) {
      Call call = forward_call(instance, inputs_of(instance, consecutive(instance, 3), "errors"), operation);
      Tensor& positions = call.positions.exists() ? call.positions : call.key_positions;
      positions.numbers.back() = std::nan("");
      const CallResult result = instance.invoke(call);
      const std::string what = fmt::format("{} at position nan", name_of(call));
      if (result.ok()) continue;  // the host never sends this
      ++failures;
      if (!result.thrown.empty()) throw Failed(fmt::format("{} threw {}", what, result.thrown));
      if (result.status < POSLAB_OK || result.status > POSLAB_FAILED)
        throw Failed(fmt::format("{} answered the unknown status {}", what, result.status));
      if (result.text.empty() || !result.text_ends)
        throw Failed(fmt::format("{} failed without a reason that can be read", what));
    }
  });
  return fmt::format("{} failures in {} all had a status that exists and a text that ends", failures, trial.scope());
}

}  // namespace poslab::check
