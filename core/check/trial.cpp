// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "calls/make_call.hpp"
#include "child_report.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::check {
namespace {

constexpr Index max_weights = 1 << 16;  // numbers; beyond, a variant costs more than it tells
constexpr int most_axes = 3;

Index weights_in(const host::Scheme& scheme) {
  Index count = 0;
  for (const host::WeightInfo& info : scheme.weights())
    count += info.shape[0] * info.shape[1] * info.shape[2] * info.shape[3];
  return count;
}

bool is_refused(const std::shared_ptr<const host::Plugin>& plugin, const data::Values& parameters,
                const host::Model& model) try {
  const host::Scheme scheme(plugin, parameters, model);
  return false;
} catch (const data::Refused&) {
  return true;
} catch (const base::Error&) {
  return false;  // which is for a check to say
}

// A scheme for one and three axes refuses two only when called; or one axis ends before our few points do.
bool refuses_these_axes(Trial& trial, const Instance& instance) {
  const FaultReport on_fault = [&](const std::string& access) { trial.outside(access); };
  const Inputs inputs = inputs_of(instance, consecutive(instance, 9), "axes");
  for (const Operation operation : instance.operations()) {
    Call call = forward_call(instance, inputs, operation);
    trial.at(fmt::format("{}: {}", instance.label(), call_text(call)));
    const CallResult result = instance.invoke(call, Guard::after, on_fault);
    if (result.status == POSLAB_REFUSED || result.status == POSLAB_OUT_OF_RANGE) return true;
  }
  return false;
}

}  // namespace

const std::shared_ptr<const host::Plugin>& Trial::plugin() {
  if (!plugin_) plugin_ = host::Plugin::open(request_.file);
  return plugin_;
}

const data::Values& Trial::given() {
  if (given_) return *given_;
  const data::SchemeInfo& info = plugin()->info();
  try {
    given_ = std::make_unique<data::Values>(request_.parameters ? request_.parameters(info) : data::Values());
  } catch (const base::Error& mistake) {
    throw WrongRequest(mistake.what());
  }
  return *given_;
}

std::vector<Variant> Trial::variants() { return variants_of(plugin()->info(), given(), models()); }

const std::vector<host::Model>& Trial::models() {
  if (names_models()) return request_.models;
  if (!models_.empty()) return models_;
  models_ = usual_models();
  if (!is_refused(plugin(), given(), models_.front())) return models_;
  for (const host::Model& wider : wider_models()) {
    if (is_refused(plugin(), given(), wider)) continue;
    models_.front() = wider;
    break;
  }
  return models_;
}

void Trial::at(const std::string& where) { say_(line::at + where); }
void Trial::outside(const std::string& access) { say_(line::outside + access); }
void Trial::warn(const std::string& sentence) { say_(line::warning + sentence); }
void Trial::unclaimed(const Unclaimed& unclaimed) { say_(unclaimed_line(unclaimed)); }
void Trial::if_stopped(const std::string& sentence) { say_(line::if_stopped + sentence); }

void Trial::with_variant(const Variant& variant, const std::function<void(const Instance&)>& body) {
  at(variant.label);
  int least = 1, most = 1;
  try {
    const host::Scheme scheme(plugin(), variant.parameters, variant.model);
    if (weights_in(scheme) > max_weights) {
      ++too_large_;
      return;
    }
    least = scheme.least_axes();
    most = std::min(scheme.most_axes(), std::max(most_axes, least));
  } catch (const data::Refused&) {
    ++refused_;
    return;
  }
  for (int axes = least; axes <= most; ++axes) with_instance(Instance(plugin(), variant, axes), body);
}

void Trial::with_instance(const Instance& instance, const std::function<void(const Instance&)>& body) {
  if (!request_.variant.empty() && request_.variant != instance.label()) return;
  at(instance.label());
  say_(line::variant + instance.label());
  if (instance.axes() != 1 && refuses_these_axes(*this, instance)) {
    ++refused_;
    return;
  }
  ++instances_;
  try {
    body(instance);
  } catch (const Failed& failure) {
    throw Failed(failure.reason, instance.label());
  } catch (const NotPerformed&) {
    throw;
  } catch (const base::Error& failure) {
    throw Failed(failure.what(), instance.label());
  }
  say_(line::variant);
}

void Trial::for_each_instance(const std::function<void(const Instance&)>& body) {
  for (const Variant& variant : variants()) with_variant(variant, body);
}

std::string Trial::scope() const {
  std::string more;
  if (refused_ > 0) more += fmt::format("{} refused", refused_);
  if (too_large_ > 0) more += fmt::format("{}{} too large to check", more.empty() ? "" : ", ", too_large_);
  return fmt::format("{} variant{}{}", instances_, instances_ == 1 ? "" : "s",
                     more.empty() ? "" : fmt::format(" ({})", more));
}

}  // namespace poslab::check
