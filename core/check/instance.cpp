// SPDX-License-Identifier: Apache-2.0
#include "instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "failure.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/host/library.hpp"

namespace poslab::check {
namespace {

poslab_instance raw_instance(const host::Plugin& plugin, const data::Values& parameters, const host::Model& model) {
  const std::vector<poslab_value> values = host::to_boundary(plugin.info().parameters, parameters);
  const poslab_model attached = host::to_boundary(model);
  poslab_instance instance{};
  instance.size = sizeof instance;
  poslab_error error{};
  if (plugin.create(values.data(), &attached, &instance, &error) != POSLAB_OK)
    throw Failed(fmt::format("made a variant once, but refuses it the second time: {}",
                             base::printable({error.text, strnlen(error.text, sizeof error.text)})));
  return instance;
}

}  // namespace

Instance::Instance(std::shared_ptr<const host::Plugin> plugin, const Variant& variant, int axes)
    : plugin_(std::move(plugin)),
      variant_(variant),
      axes_(axes),
      label_(variant.label),
      scheme_(plugin_, variant.parameters, variant.model),
      raw_(raw_instance(*plugin_, scheme_.parameters(), variant.model)) {
  if (plugin_->info().most_axes > 1) label_ += fmt::format(", positions of {} {}", axes, axes == 1 ? "axis" : "axes");
}

Instance::~Instance() { plugin_->table().destroy(raw_.self); }

std::vector<Operation> Instance::operations() const {
  std::vector<Operation> offered;
  for (const Operation operation : host::all_operations)
    if (has(operation)) offered.push_back(operation);
  return offered;
}

std::vector<int> Instance::sides() const {
  std::vector<int> changed;
  for (const host::Side side : host::all_sides)
    if (scheme_.transforms(side)) changed.push_back(static_cast<int>(side));
  return changed;
}

CallResult Instance::invoke(Call& call, Guard guard, const FaultReport& on_fault) const {
  return check::invoke(plugin_->table(), raw_.self, call, guard, on_fault);
}

double Instance::lowest(double reach) const { return std::ceil(std::max(scheme_.lowest_position(), -reach)); }
double Instance::highest(double reach) const { return std::floor(std::min(scheme_.highest_position(), reach)); }

}  // namespace poslab::check
