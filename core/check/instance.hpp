// SPDX-License-Identifier: Apache-2.0
// A variant as checks call it: made by the plugin, attached to a model, for positions of a number of axes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calls/call.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"
#include "variants.hpp"

namespace poslab::check {

/// A variant twice: as the host makes it, and raw, by a call of `create` of our own.
class Instance {
 public:
  /// Throws data::Refused if the plugin refuses the variant.
  Instance(std::shared_ptr<const host::Plugin> plugin, const Variant& variant, int axes);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const std::string& label() const { return label_; }
  const Variant& variant() const { return variant_; }
  const std::shared_ptr<const host::Plugin>& plugin() const { return plugin_; }
  const host::Scheme& scheme() const { return scheme_; }
  const void* self() const { return raw_.self; }
  int axes() const { return axes_; }
  Index D() const { return variant_.model.model_width; }
  Index H() const { return variant_.model.heads; }
  Index K() const { return variant_.model.head_width(); }
  bool claims(poslab_claim claim) const { return scheme_.claims(claim); }
  bool causal_only() const { return scheme_.mask() == host::Mask::causal_only; }
  bool serves_causal() const { return !scheme_.why_not_mask(true); }
  bool has(Operation operation) const { return scheme_.has(operation); }
  bool has_gradient(Operation operation) const { return scheme_.has_gradient(operation); }
  std::vector<Operation> operations() const;
  std::vector<int> sides() const;  ///< that `transform` changes

  CallResult invoke(Call& call, Guard guard = Guard::none, const FaultReport& on_fault = {}) const;
  /// The lowest and highest position served within [-reach, reach], whole numbers.
  double lowest(double reach) const;
  double highest(double reach) const;

 private:
  std::shared_ptr<const host::Plugin> plugin_;
  Variant variant_;
  int axes_;
  std::string label_;
  host::Scheme scheme_;
  poslab_instance raw_{};
};

}  // namespace poslab::check
