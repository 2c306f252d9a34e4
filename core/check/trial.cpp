// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene.hpp"

namespace poslab::check {
namespace {

constexpr Index most_weights = 1 << 16;  // numbers; beyond, a variant costs more than it tells
constexpr int most_axes = 3;

Index weights_in(const host::Scheme& scheme) {
  Index count = 0;
  for (const host::WeightInfo& info : scheme.weights())
    count += info.shape[0] * info.shape[1] * info.shape[2] * info.shape[3];
  return count;
}

// A scheme for one and three axes says so only when it is asked for two; or one axis ends before our few points do.
bool refuses_these_axes(const Subject& subject) {
  const Scene scene = scene_of(subject, consecutive(subject, 9), "axes");
  for (const Operation operation : subject.operations()) {
    Call call = forward_call(subject, scene, operation);
    const Answer answer = subject.perform(call);
    if (answer.status == POSLAB_REFUSED || answer.status == POSLAB_OUT_OF_RANGE) return true;
  }
  return false;
}

}  // namespace

const std::shared_ptr<const host::Plugin>& Trial::plugin() {
  if (!plugin_) plugin_ = host::Plugin::open(request_.file);
  return plugin_;
}

const base::Values& Trial::given() {
  if (given_) return *given_;
  const base::SchemeInfo& info = plugin()->info();
  try {
    given_ = std::make_unique<base::Values>(request_.parameters ? request_.parameters(info) : base::Values());
  } catch (const base::Error& mistake) {
    throw WrongRequest(mistake.what());
  }
  return *given_;
}

std::vector<Variant> Trial::variants() { return variants_of(plugin()->info(), given(), request_.models); }

void Trial::at(const std::string& where) { say_("at " + where); }

void Trial::with_variant(const Variant& variant, const std::function<void(const Subject&)>& body) {
  at(variant.label);
  int least = 1, most = 1;
  try {
    const host::Scheme scheme(plugin(), variant.parameters, variant.model);
    if (weights_in(scheme) > most_weights) {
      ++too_large_;
      return;
    }
    least = scheme.least_axes();
    most = std::min(scheme.most_axes(), std::max(most_axes, least));
  } catch (const base::Refused&) {
    ++refused_;
    return;
  }
  for (int axes = least; axes <= most; ++axes) {
    const Subject subject(plugin(), variant, axes);
    at(subject.label());
    if (axes != 1 && refuses_these_axes(subject)) {
      ++refused_;
      continue;
    }
    ++subjects_;
    try {
      body(subject);
    } catch (const Failed& failure) {
      throw Failed(fmt::format("{}: {}", subject.label(), failure.what()));
    } catch (const NotPerformed&) {
      throw;
    } catch (const base::Error& failure) {
      throw Failed(fmt::format("{}: {}", subject.label(), failure.what()));
    }
  }
}

void Trial::for_each_subject(const std::function<void(const Subject&)>& body) {
  for (const Variant& variant : variants()) with_variant(variant, body);
}

std::string Trial::scope() const {
  std::string more;
  if (refused_ > 0) more += fmt::format("{} refused", refused_);
  if (too_large_ > 0) more += fmt::format("{}{} too large to check", more.empty() ? "" : ", ", too_large_);
  return fmt::format("{} variant{}{}", subjects_, subjects_ == 1 ? "" : "s",
                     more.empty() ? "" : fmt::format(" ({})", more));
}

}  // namespace poslab::check
