// SPDX-License-Identifier: Apache-2.0
// Variants and their labels.
#include "cells.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/data/label.hpp"
#include "poslab/data/mixed.hpp"

namespace poslab::study {
namespace {

bool varies(const SchemeUse& use, const std::string& name) {
  for (const AxisValues& axis : use.axes)
    if (axis.name == name) return true;
  for (const Zip& zip : use.zips)
    for (const AxisValues& axis : zip)
      if (axis.name == name) return true;
  return false;
}

bool sets_or_varies(const SchemeUse& use, const std::string& name) {
  return use.set.contains(name) || varies(use, name);
}

// A label of the study's own stands for what its [[scheme]] sets, so only what varies there is told beside it.
std::string label_of(const SchemeUse& use, const data::Values& parameters, const std::vector<std::string>& varied) {
  if (use.label.empty()) return data::label_of(use.id, parameters, varied);
  std::vector<std::string> told;
  for (const std::string& name : varied)
    if (varies(use, name)) told.push_back(name);
  return data::label_of(use.label, parameters, told);
}

data::Variant mixed_variant(const SchemeUse& use, const data::SchemeInfo& info,
                            const std::vector<std::string>& varied) {
  std::vector<data::LayerVariant> layers;
  std::vector<data::Values> set;
  for (const LayerUse& layer : use.layers) {
    layers.push_back(layer_variant_of(layer, *base::find_by(info.parts, &data::SchemeInfo::id, layer.id)));
    set.push_back(layer.set);
  }
  std::string label = use.label.empty() ? data::mixed_label(layers, set) : use.label;
  return {info.id, std::move(label), use.set, varied, std::move(layers)};
}

}  // namespace

std::vector<std::string> varied_names(const Study& study, const data::SchemeInfo& info) {
  std::vector<std::string> names;
  for (const data::Quantity& parameter : info.parameters) {
    bool varied = false;
    for (const SchemeUse& use : study.schemes)
      varied = varied || (use.id == info.id && sets_or_varies(use, parameter.name));
    if (varied) names.push_back(parameter.name);
  }
  return names;
}

std::vector<data::Variant> variants_of(const SchemeUse& use, const data::SchemeInfo& info,
                                       const std::vector<std::string>& varied) {
  if (!use.layers.empty()) return {mixed_variant(use, info, varied)};
  const AxisProduct points = axis_product_of(use, info);
  const auto count = static_cast<std::size_t>(points.size());
  std::vector<data::Variant> variants;
  for (std::size_t i = 0; i < count; ++i) {
    data::Values parameters = points.point(i);
    std::string label = label_of(use, parameters, varied);
    variants.push_back({info.id, std::move(label), std::move(parameters), varied});
  }
  return variants;
}

}  // namespace poslab::study
