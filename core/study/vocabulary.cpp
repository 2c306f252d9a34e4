// SPDX-License-Identifier: Apache-2.0
// The names that a scheme or an experiment lets vary.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/find_by.hpp"
#include "poslab/data/description.hpp"
#include "readers/axes_reader.hpp"

namespace poslab::study {

const data::AxisInfo* Vocabulary::find(const std::string& name) const {
  return base::find_by(axes, &data::AxisInfo::name, name);
}

std::size_t Vocabulary::index(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(axes, name, &data::AxisInfo::name) - axes.begin());
}

std::vector<std::string> Vocabulary::names() const {
  std::vector<std::string> names;
  for (const data::AxisInfo& axis : axes) names.push_back(axis.name);
  return names;
}

std::string Vocabulary::unknown(const std::string& name) const {
  return data::no_such_name(name, word, owner, names());
}

std::vector<data::AxisInfo> model_axes() {
  const auto axis = [](const char* name, const char* sentence) {
    return data::AxisInfo{{.name = name, .kind = data::Kind::integer, .sentence = sentence, .range = {1, 1 << 20}}};
  };
  return {axis("d_model", "width of the model that the scheme is attached to"),
          axis("heads", "attention heads; they share d_model evenly")};
}

Vocabulary vocabulary_of(const data::ExperimentInfo& experiment) {
  Vocabulary vocabulary{experiment.id, "an axis", model_axes()};
  for (const bool inner : {false, true})
    for (const data::AxisInfo& axis : experiment.axes)
      if (axis.inner == inner) vocabulary.axes.push_back(axis);
  return vocabulary;
}

Vocabulary vocabulary_of(const data::SchemeInfo& scheme) {
  Vocabulary vocabulary{scheme.id, "a parameter", {}};
  for (const data::Quantity& parameter : scheme.parameters) vocabulary.axes.push_back({parameter});
  return vocabulary;
}

std::optional<base::Refusal> why_not_heads(std::int64_t d_model, std::int64_t heads) {
  if (heads > 0 && d_model % heads == 0) return std::nullopt;
  return fmt::format("{} heads do not divide d_model = {}", heads, d_model);
}

}  // namespace poslab::study
