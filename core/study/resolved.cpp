// SPDX-License-Identifier: Apache-2.0
// Study -> TOML that reads back as the same study.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/find_by.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/study/study.hpp"

namespace poslab::study {
namespace {

std::string key(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), base::is_word_character);
  return bare ? name : base::quoted(name);
}

std::string toml_text(const data::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? base::quoted(*text) : data::to_text(value);
}

bool is_unset(const data::Value& value) { return std::holds_alternative<std::monostate>(value); }

// An outer axis is a list of values; an inner one is one value, which is a list.
std::string list_text(const std::vector<data::Value>& values, bool whole_list) {
  if (whole_list) return toml_text(values.front());
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + toml_text(values[i]);
  return text + "]";
}

std::string inline_table(const data::Values& values) {
  std::string text;
  for (const auto& [name, value] : values)
    if (!is_unset(value)) text += (text.empty() ? "" : ", ") + key(name) + " = " + toml_text(value);
  return "{ " + text + " }";
}

std::string axes_text(const std::vector<AxisValues>& axes, bool of_experiment) {
  std::string text;
  for (const AxisValues& axis : axes) {
    if (axis.values.empty() || is_unset(axis.values.front())) continue;
    const bool inner = of_experiment && std::holds_alternative<std::vector<double>>(axis.values.front());
    text += fmt::format("{} = {}\n", key(axis.name), list_text(axis.values, inner));
  }
  return text;
}

std::string axes_and_zips(const std::string& table, const std::vector<AxisValues>& axes, const std::vector<Zip>& zips) {
  const bool of_experiment = table == "experiment";
  std::string text;
  if (const std::string lines = axes_text(axes, of_experiment); !lines.empty())
    text += fmt::format("[{}.axes]\n{}", table, lines);
  for (const Zip& zip : zips) text += fmt::format("[[{}.zip]]\n{}", table, axes_text(zip, of_experiment));
  return text;
}

// `equal`, which has no word of its own, is "in" with one value.
const char* word_for(Condition::Relation relation) {
  const RelationWord* known = base::find_by(relation_words, &RelationWord::relation, relation);
  return known ? known->word : "in";
}

// Several conditions on one name stand in one table, in their order.
std::string conditions_text(const std::vector<Condition>& when) {
  std::string text;
  for (std::size_t i = 0; i < when.size(); ++i) {
    const bool first = i == 0 || when[i - 1].name != when[i].name;
    const bool last = i + 1 == when.size() || when[i + 1].name != when[i].name;
    if (first) text += fmt::format("{}{} = ", i ? ", " : "", key(when[i].name));
    if (first && last && when[i].relation == Condition::Relation::equal) {
      text += toml_text(when[i].values.front());
      continue;
    }
    const bool several = when[i].relation == Condition::Relation::in || when[i].relation == Condition::Relation::equal;
    text +=
        fmt::format("{}{} = {}{}", first ? "{ " : ", ", word_for(when[i].relation),
                    several ? list_text(when[i].values, false) : toml_text(when[i].values.front()), last ? " }" : "");
  }
  return "{ " + text + " }";
}

std::string layers_text(const std::vector<LayerUse>& layers) {
  std::string text;
  for (const LayerUse& layer : layers) {
    const std::string id = base::quoted(layer.id);
    text += fmt::format("  {},\n",
                        layer.set.empty() ? id : fmt::format("{{ use = {}, set = {} }}", id, inline_table(layer.set)));
  }
  return "layers = [\n" + text + "]\n";
}

std::string scheme_text(const SchemeUse& use) {
  const bool is_mixed = !use.layers.empty();
  std::string text = "\n[[scheme]]\n";
  text += is_mixed ? layers_text(use.layers) : fmt::format("use = {}\n", base::quoted(use.id));
  if (!use.label.empty()) text += fmt::format("label = {}\n", base::quoted(use.label));
  if (!use.set.empty() && !is_mixed) text += fmt::format("set = {}\n", inline_table(use.set));
  if (use.placement) text += fmt::format("positions = {}\n", use.placement->text());
  return text + axes_and_zips("scheme", use.axes, use.zips);
}

std::string experiment_text(const ExperimentUse& use) {
  std::string text = fmt::format("\n[[experiment]]\nuse = {}\n", base::quoted(use.id));
  if (use.repeats) text += fmt::format("repeats = {}\n", *use.repeats);
  text += axes_and_zips("experiment", use.axes, use.zips);
  for (const Skip& skip : use.skips)
    text += fmt::format("[[experiment.skip]]\nwhen = {}\nreason = {}\n", conditions_text(skip.when),
                        base::quoted(skip.reason));
  return text;
}

std::string expectation_text(const data::Expectation& expectation) {
  std::string text = fmt::format("\n[[expect]]\nexperiment = {}\n", base::quoted(expectation.experiment));
  if (!expectation.where.empty()) text += fmt::format("where = {}\n", inline_table(expectation.where));
  if (!expectation.minus.empty()) text += fmt::format("minus = {}\n", inline_table(expectation.minus));
  if (expectation.repeats != data::OverRepeats::each) text += fmt::format("repeats = {}\n", base::quoted("mean"));
  text += fmt::format("measure = {}\n", base::quoted(expectation.measure));
  const std::string value = data::to_text(expectation.value);
  text += expectation.gate == data::Gate::within
              ? fmt::format("value = {}\ntolerance = {}\n", value, data::to_text(expectation.tolerance))
              : fmt::format("{} = {}\n", data::to_text(expectation.gate), value);
  if (!expectation.source.empty()) text += fmt::format("source = {}\n", base::quoted(expectation.source));
  return text;
}

std::string out_of_reach_text(const OutOfReach& known) {
  return fmt::format("\n[[out_of_reach]]\nwhat = {}\npublished = {}\nreason = {}\n", base::quoted(known.what),
                     base::quoted(known.published), base::quoted(known.reason));
}

}  // namespace

std::string Study::resolved() const {
  std::string out = fmt::format("format = 1\ntitle = {}\nseed = {}\n\n[model]\nd_model = {}\nheads = {}\n",
                                base::quoted(title), seed, d_model, heads);
  if (!placement.is_plain()) out += fmt::format("positions = {}\n", placement.text());
  for (const SchemeUse& use : schemes) out += scheme_text(use);
  for (const ExperimentUse& use : experiments) out += experiment_text(use);
  for (const data::Expectation& expectation : expectations) out += expectation_text(expectation);
  for (const OutOfReach& known : out_of_reach) out += out_of_reach_text(known);
  return out;
}

std::string Study::hash() const { return base::sha256(resolved()); }

}  // namespace poslab::study
