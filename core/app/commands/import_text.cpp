// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/import.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using importing::AssumedValue;
using importing::Difference;
using importing::Form;
using importing::LayerKind;
using importing::Limit;
using importing::Model;
using importing::UsedKey;

const char* form_text(Form form) { return form == Form::transformers_4 ? "transformers 4" : "transformers 5"; }

std::string limit_text(const Limit& limit) {
  const std::string amount = base::shortest(limit.amount);
  switch (limit.kind) {
    case Limit::Kind::unknown_family:
      return fmt::format("this family{} is not known: it was read by its keys alone",
                         limit.subject.empty() ? "" : ", " + limit.subject + ",");
    case Limit::Kind::layout:
      return "which channels rotate together is in no key: half-split is what most families have";
    case Limit::Kind::width: return fmt::format("the model is {} wide; the study's is heads times head width", amount);
    case Limit::Kind::table_width:
      return fmt::format(
          "the table is {} wide ({}), and a map widens what it gives; the study's is as wide as the model", amount,
          limit.subject);
    case Limit::Kind::other_width:
      return fmt::format(
          "heads of another width, {}: {}; in the study only its layers have them, and are as wide as "
          "the others there",
          amount, limit.subject);
    case Limit::Kind::also: return fmt::format("the same layers also have {}; a variant has one scheme", limit.subject);
    case Limit::Kind::window:
      return fmt::format("{}: keys outside a window of {} are masked in some layers", limit.subject, amount);
    case Limit::Kind::logit_scale:
      return fmt::format("logits are scaled by {}^-1/2 ({}), in the study by the head width's", amount, limit.subject);
    case Limit::Kind::logit_factor:
      return fmt::format("logits are multiplied by {}{}, in the study by the head width's power -1/2", amount,
                         limit.subject.empty() ? "" : fmt::format(" ({})", limit.subject));
    case Limit::Kind::logit_by_layer:
      return fmt::format("logits are divided by the number of their layer, from 1, too ({})", limit.subject);
    case Limit::Kind::bias_scale:
      return fmt::format("the bias is divided by the root of the head width, {}, too", amount);
    case Limit::Kind::no_attention:
      return fmt::format("{} layers have no logits that positions could enter; here they are none", limit.subject);
    case Limit::Kind::value_side: return "values rotate with their keys, and the output of attention is rotated back";
    case Limit::Kind::scaling: return fmt::format("the scaling {}, which m-rope does not have", limit.subject);
    case Limit::Kind::other_part: return fmt::format("{} has positions of its own, which were not read", limit.subject);
    case Limit::Kind::stages: return "later stages have more heads, of the same width; the first is taken";
    case Limit::Kind::resampled: return "the table is resampled where an image has another size";
    case Limit::Kind::unrotated_tokens: return "class and register tokens do not rotate, and are not in the grid";
    case Limit::Kind::projections_shared: return "projections of positions are those of the contents; here their own";
  }
  return "";
}

std::string layers_text(const Model& model, const LayerKind& kind) {
  return kind.name.empty() ? "all layers" : model.kind_of_layer.empty() ? kind.name : kind.name + " layers";
}

// "5 x sliding_attention, full_attention"
std::string runs_text(const Model& model, std::size_t first, std::size_t last) {
  std::vector<std::string> words;
  for (std::size_t layer = first; layer < last;) {
    std::size_t end = layer;
    while (end < last && model.kind_of_layer[end] == model.kind_of_layer[layer]) ++end;
    const std::string times = end - layer > 1 ? fmt::format("{} x ", end - layer) : "";
    words.push_back(times + model.kinds[model.kind_of_layer[layer]].name);
    layer = end;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// The shortest row of layers that repeats, how often it does, and what is left: "5 x sliding_attention, full_attention;
// 5 times, then 4 x sliding_attention".
std::string order_of_layers(const Model& model) {
  const std::vector<std::size_t>& layers = model.kind_of_layer;
  std::size_t period = 1;
  while (period < layers.size() &&
         !std::equal(layers.begin() + static_cast<std::ptrdiff_t>(period), layers.end(), layers.begin()))
    ++period;
  const std::size_t times = layers.size() / period, rest = times * period;
  std::string text = runs_text(model, 0, period);
  if (times > 1) text += fmt::format("; {} times", times);
  if (rest < layers.size()) text += ", then " + runs_text(model, rest, layers.size());
  return text;
}

std::string import_section(const char* heading, const std::vector<std::string>& lines) {
  std::string text = lines.empty() ? "" : fmt::format("\n{}\n", heading);
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

template <class Item, class Line>
std::vector<std::string> lines_of(const std::vector<Item>& items, const Line& line) {
  std::vector<std::string> lines;
  for (const Item& item : items) lines.push_back(line(item));
  return lines;
}

std::string readers_text(const Difference& difference) {
  return fmt::format("{}{}: {} by transformers 4, {} by transformers 5",
                     difference.layers.empty() ? "" : difference.layers + ", ", difference.parameter,
                     data::to_text(difference.by_transformers_4), data::to_text(difference.by_transformers_5));
}

std::vector<std::string> reader_lines(const Model& model) {
  std::vector<std::string> lines = lines_of(model.differences, readers_text);
  const char* other = form_text(model.form == Form::transformers_4 ? Form::transformers_5 : Form::transformers_4);
  if (!model.refused_by_other.empty())
    lines.push_back(fmt::format("{} does not read it: {}", other, model.refused_by_other));
  for (const std::string& key : model.read_by_other) lines.push_back(fmt::format("{} is read by {} alone", key, other));
  return lines;
}

}  // namespace

std::string import_text(const Model& model, const std::string& file) {
  std::string text = fmt::format("{}: {}, as {} reads it; {} of width {}\n", file,
                                 model.family.empty() ? "no model_type" : model.family, form_text(model.form),
                                 base::counted(model.heads, "head"), model.head_width);
  for (const LayerKind& kind : model.kinds)
    text += fmt::format("  {}: {}\n", layers_text(model, kind), importing::variant_text(kind));
  if (model.kinds.size() > 1 && !model.kind_of_layer.empty())
    text += fmt::format("  order: {}\n", order_of_layers(model));
  std::size_t width = 0;
  for (const UsedKey& key : model.used) width = std::max(width, key.key.size() + key.value.size());
  text += import_section("keys used", lines_of(model.used, [&](const UsedKey& key) {
                           return fmt::format("{} = {}{}  {}", key.key, key.value,
                                              std::string(width - key.key.size() - key.value.size(), ' '), key.meaning);
                         }));
  text += import_section(
      "not in the configuration, and taken as its readers do",
      lines_of(model.assumed, [](const AssumedValue& one) { return fmt::format("{} = {}", one.meaning, one.value); }));
  text += import_section("keys about positions that were not understood", model.not_understood);
  text += import_section("what the study does not say", lines_of(model.limits, limit_text));
  text += import_section("where readers differ", reader_lines(model));
  return text;
}

base::Json import_json(const Model& model, const std::string& file) {
  base::Json json{{"file", file},
                  {"family", model.family},
                  {"form", form_text(model.form)},
                  {"heads", model.heads},
                  {"head_width", model.head_width}};
  base::Json& kinds = json["kinds"] = base::Json::array();
  for (const LayerKind& kind : model.kinds)
    kinds.push_back({{"layers", kind.name},
                     {"scheme", kind.scheme},
                     {"parameters", base::Json::parse(kind.set.to_json())},
                     {"heads", kind.heads},
                     {"head_width", kind.head_width}});
  json["kind_of_layer"] = model.kind_of_layer;
  base::Json& used = json["used"] = base::Json::array();
  for (const UsedKey& key : model.used)
    used.push_back({{"key", key.key}, {"value", key.value}, {"meaning", key.meaning}});
  base::Json& assumed = json["assumed"] = base::Json::array();
  for (const AssumedValue& one : model.assumed) assumed.push_back({{"meaning", one.meaning}, {"value", one.value}});
  json["not_understood"] = model.not_understood;
  json["not_expressed"] = lines_of(model.limits, limit_text);
  base::Json& differences = json["readers_differ"] = base::Json::array();
  for (const Difference& one : model.differences)
    differences.push_back({{"layers", one.layers},
                           {"parameter", one.parameter},
                           {"transformers 4", base::Json::parse(data::to_json(one.by_transformers_4))},
                           {"transformers 5", base::Json::parse(data::to_json(one.by_transformers_5))}});
  json["refused_by_other"] = model.refused_by_other;
  json["read_by_other"] = model.read_by_other;
  return json;
}

}  // namespace poslab::app
