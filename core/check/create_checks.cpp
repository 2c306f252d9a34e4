// SPDX-License-Identifier: Apache-2.0
// Making variants: what is made, what is refused, and with which words.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "list.hpp"
#include "poslab/base/text.hpp"
#include "scene.hpp"

namespace poslab::check {
namespace {

// Models that a scheme may well refuse: odd widths, one head, one channel.
const std::vector<host::Model> odd_models{{33, 3, 64}, {7, 1, 64}, {1, 1, 1}, {4, 4, 64}};

std::string why_refused(Trial& trial, const Variant& variant) {
  trial.at(variant.label);
  try {
    const host::Scheme scheme(trial.plugin(), variant.parameters, variant.model);
    return "";
  } catch (const base::Refused& refusal) {
    return refusal.what();
  }
}

// An answer that is no success: known status, the same code in the error, a text that ends.
void require_reason(const std::string& where, int status, const poslab_error& error) {
  if (status < POSLAB_OK || status > POSLAB_FAILED)
    throw Failed(fmt::format("{}: it answered the unknown status {}", where, status));
  if (status == POSLAB_OK) return;
  const std::size_t length = strnlen(error.text, sizeof error.text);
  if (length == 0) throw Failed(fmt::format("{}: it answered {} without a reason", where, status));
  if (length == sizeof error.text) throw Failed(fmt::format("{}: the text of its error does not end", where));
}

poslab_error blank_error() {
  poslab_error error;
  std::memset(&error, 'x', sizeof error);
  error.code = POSLAB_OK;
  error.text[0] = '\0';
  return error;
}

// `create` as it stands, with values that the host would not let through; whatever it makes is destroyed.
void create_raw(Trial& trial, const std::string& where, const std::vector<poslab_value>& values,
                const host::Model& model) {
  trial.at(where);
  const poslab_plugin& table = trial.plugin()->table();
  const poslab_model attached{sizeof attached,   0, model.model_width, model.heads, model.head_width(),
                              model.train_length};
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

bool fits_its_kind(const base::Quantity& parameter, const base::Value& value) {
  switch (parameter.kind) {
    case base::Kind::real: return std::holds_alternative<double>(value);
    case base::Kind::integer: return std::holds_alternative<std::int64_t>(value);
    case base::Kind::list: return std::holds_alternative<std::vector<double>>(value);
    case base::Kind::choice: return std::holds_alternative<std::string>(value);
    case base::Kind::flag: return false;
  }
  return false;
}

}  // namespace

std::string check_creates(Trial& trial) {
  int made = 0, refused = 0;
  std::string first_refusal;
  for (const Variant& variant : trial.variants()) {
    std::string reason;
    try {
      reason = why_refused(trial, variant);
    } catch (const base::Error& failure) {
      throw Failed(fmt::format("{}: {}", variant.label, failure.what()));
    }
    reason.empty() ? ++made : ++refused;
    if (first_refusal.empty() && !reason.empty()) first_refusal = fmt::format("{}: {}", variant.label, reason);
    if (variant.parameters == trial.given() && made + refused == 1 && !reason.empty() && trial.given().empty())
      throw Failed(fmt::format("its defaults are refused: {}", first_refusal));
  }
  if (made == 0) throw Failed(fmt::format("no variant was made; {}", first_refusal));
  return refused == 0
             ? fmt::format("made {} variants", made)
             : fmt::format("made {} variants, refused {} with a reason, the first: {}", made, refused, first_refusal);
}

std::string check_parameters(Trial& trial) {
  const base::SchemeInfo& info = trial.plugin()->info();
  const Variant usual = trial.variants().front();
  int refused = 0;
  for (const base::Quantity& parameter : info.parameters) {
    for (const base::Value& value : outside_values(parameter)) {
      const std::string what = fmt::format("{}={}", parameter.name, base::to_text(value));
      trial.at(what);
      try {
        const host::Scheme scheme(trial.plugin(), {{parameter.name, value}}, usual.model);
        throw Failed(fmt::format("{} was taken, although it is outside: {}", what, parameter.sentence));
      } catch (const Failed&) {
        throw;
      } catch (const base::Error& refusal) {
        if (std::string(refusal.what()).find(parameter.name) == std::string::npos)
          throw Failed(fmt::format("{} was refused, but not by name: {}", what, refusal.what()));
        ++refused;
      }
      if (!fits_its_kind(parameter, value)) continue;
      // The host lets nothing of this through; but another host may, and then there must be no crash.
      base::Values all;
      for (const base::Quantity& other : info.parameters)
        all.set(other.name, other.name == parameter.name ? value : other.default_value);
      create_raw(trial, "create called past the host with " + what, raw_values(info, all), usual.model);
    }
  }
  if (info.parameters.empty()) throw NotPerformed("it has no parameters");
  return fmt::format("{} values outside the ranges of {} parameters were refused, each by name", refused,
                     info.parameters.size());
}

std::string check_errors(Trial& trial) {
  const base::SchemeInfo& info = trial.plugin()->info();
  int failures = 0;
  for (Variant variant : trial.variants())
    for (const host::Model& model : odd_models) {
      variant.model = model;
      base::Values all;
      for (const base::Quantity& parameter : info.parameters) {
        const base::Value* value = variant.parameters.find(parameter.name);
        all.set(parameter.name, value ? *value : parameter.default_value);
      }
      create_raw(trial, fmt::format("{} on D={} H={}", variant.label, model.model_width, model.heads),
                 raw_values(info, all), model);
    }
  // Numbers of axes that no table of the scheme allows, and positions that are no numbers.
  trial.for_each_subject([&](const Subject& subject) {
    for (const Operation operation : subject.operations()) {
      Call call = forward_call(subject, scene_of(subject, consecutive(subject, 3), "errors"), operation);
      Block& positions = call.positions.there() ? call.positions : call.key_positions;
      positions.numbers.back() = std::nan("");
      const Answer answer = subject.perform(call);
      const std::string what = fmt::format("{} at position nan", name_of(call));
      if (answer.ok()) continue;  // the host never asks for this
      ++failures;
      if (!answer.thrown.empty()) throw Failed(fmt::format("{} threw {}", what, answer.thrown));
      if (answer.status < POSLAB_OK || answer.status > POSLAB_FAILED)
        throw Failed(fmt::format("{} answered the unknown status {}", what, answer.status));
      if (answer.text.empty() || !answer.text_ends)
        throw Failed(fmt::format("{} failed without a reason that can be read", what));
    }
  });
  return fmt::format("{} failures in {} all had a status that exists and a text that ends", failures, trial.scope());
}

}  // namespace poslab::check
