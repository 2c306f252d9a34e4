// SPDX-License-Identifier: Apache-2.0
// The names that a scheme or an experiment lets vary.
#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/data/description.hpp"
#include "readers/axes_reader.hpp"

namespace poslab::study {

const data::AxisInfo* Vocabulary::find(const std::string& name) const {
  for (const data::AxisInfo& axis : axes)
    if (axis.name == name) return &axis;
  return nullptr;
}

std::size_t Vocabulary::index(const std::string& name) const {
  std::size_t i = 0;
  while (i < axes.size() && axes[i].name != name) ++i;
  return i;
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
  data::AxisInfo width, heads;
  width.name = "d_model";
  width.sentence = "width of the model that the scheme is attached to";
  heads.name = "heads";
  heads.sentence = "attention heads; they share d_model evenly";
  for (data::AxisInfo* axis : {&width, &heads}) {
    axis->kind = data::Kind::integer;
    axis->range = {1, 1 << 20};
  }
  return {width, heads};
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
