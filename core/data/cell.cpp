// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/cell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/find_by.hpp"
#include "poslab/base/hash.hpp"

namespace poslab::data {

std::string identity(const Cell& cell, const std::string& experiment_version, const std::string& scheme_version) {
  std::string text = fmt::format("experiment {} {}\nscheme {} {}\nparameters {}\naxes {}\nseed {}\nrepeat {}\n",
                                 cell.experiment, experiment_version, cell.variant.scheme, scheme_version,
                                 cell.variant.parameters.to_json(), cell.axes.to_json(), cell.seed, cell.repeat);
  if (!cell.placement.is_plain()) text += fmt::format("positions {}\n", cell.placement.text());
  for (const Given& given : cell.given) text += fmt::format("given {} {}\n", given.name, given.hash);
  return base::sha256(text).substr(0, 32);
}

std::vector<std::string> schemes_of(const Variant& variant) {
  if (variant.layers.empty()) return {variant.scheme};
  std::vector<std::string> ids;
  for (const LayerVariant& layer : variant.layers)
    if (std::find(ids.begin(), ids.end(), layer.scheme) == ids.end()) ids.push_back(layer.scheme);
  return ids;
}

const Given* Cell::find_given(const std::string& name) const { return base::find_by(given, &Given::name, name); }

std::string outer_axes_text(const Cell& cell) {
  std::string text;
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value))
      text += (text.empty() ? "" : " ") + name + "=" + to_text(value);
  return text;
}

std::string full_text(const Cell& cell) {
  std::string text = cell.experiment + " of " + cell.variant.label;
  for (const auto& [name, value] : cell.axes) text += " " + name + "=" + to_text(value);
  return text;
}

}  // namespace poslab::data
