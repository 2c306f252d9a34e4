// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "commands/import.hpp"
#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
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

// A template has {0}, the amount, or {1}, the subject, of a limit that has one.
struct LimitWords {
  Limit::Kind kind;
  const char *id, *sentence;
  bool has_amount = false;
  const char* without_subject = nullptr;
};
constexpr LimitWords limit_words[] = {
    {Limit::Kind::unknown_family, "unknown-family", "this family, {1}, is not known: it was read by its keys alone",
     false, "this family is not known: it was read by its keys alone"},
    {Limit::Kind::layout, "layout",
     "which channels rotate together is in no key: half-split is what most families have"},
    {Limit::Kind::width, "width", "the model is {0} wide; the study's is heads times head width", true},
    {Limit::Kind::table_width, "table-width",
     "the table is {0} wide ({1}), and a map widens what it gives; the study's is as wide as the model", true},
    {Limit::Kind::other_width, "other-width",
     "heads of another width, {0}: {1}; in the study only its layers have them, and are as wide as the others there",
     true},
    {Limit::Kind::also, "also", "the same layers also have {1}; a variant has one scheme"},
    {Limit::Kind::window, "window", "{1}: keys outside a window of {0} are masked in some layers", true},
    {Limit::Kind::logit_scale, "logit-scale", "logits are scaled by {0}^-1/2 ({1}), in the study by the head width's",
     true},
    {Limit::Kind::logit_factor, "logit-factor",
     "logits are multiplied by {0} ({1}), in the study by the head width's power -1/2", true,
     "logits are multiplied by {0}, in the study by the head width's power -1/2"},
    {Limit::Kind::logit_by_layer, "logit-by-layer",
     "logits are divided by the number of their layer, from 1, too ({1})"},
    {Limit::Kind::bias_scale, "bias-scale", "the bias is divided by the root of the head width, {0}, too", true},
    {Limit::Kind::no_attention, "no-attention",
     "{1} layers have no logits that positions could enter; here they are none"},
    {Limit::Kind::value_side, "value-side",
     "values rotate with their keys, and the output of attention is rotated back"},
    {Limit::Kind::scaling, "scaling", "the scaling {1}, which m-rope does not have"},
    {Limit::Kind::other_part, "other-part", "{1} has positions of its own, which were not read"},
    {Limit::Kind::stages, "stages", "later stages have more heads, of the same width; the first is taken"},
    {Limit::Kind::resampled, "resampled", "the table is resampled where an image has another size"},
    {Limit::Kind::unrotated_tokens, "unrotated-tokens",
     "class and register tokens do not rotate, and are not in the grid"},
    {Limit::Kind::projections_shared, "projections-shared",
     "projections of positions are those of the contents; here their own"}};

Fact fact_of(const Limit& limit) {
  const LimitWords& words = *std::find_if(std::begin(limit_words), std::end(limit_words),
                                          [&](const LimitWords& one) { return one.kind == limit.kind; });
  const char* sentence = limit.subject.empty() && words.without_subject ? words.without_subject : words.sentence;
  Fact fact{words.id, base::Json::object(),
            fmt::format(fmt::runtime(sentence), base::shortest(limit.amount), limit.subject)};
  if (words.has_amount) fact.values["amount"] = limit.amount;
  if (!limit.subject.empty()) fact.values["subject"] = limit.subject;
  return fact;
}

std::string layers_text(const Model& model, const LayerKind& kind) {
  return kind.name.empty() ? "all layers" : model.kind_of_layer.empty() ? kind.name : kind.name + " layers";
}

// Layers of one kind that follow one another.
struct LayerRun {
  std::string layers;
  std::size_t count;
};

std::vector<LayerRun> runs_of(const Model& model, std::size_t first, std::size_t last) {
  std::vector<LayerRun> runs;
  for (std::size_t layer = first; layer < last; ++layer) {
    const std::string& name = model.kinds[model.kind_of_layer[layer]].name;
    if (runs.empty() || runs.back().layers != name) runs.push_back({name, 0});
    ++runs.back().count;
  }
  return runs;
}

// "5 x sliding_attention, full_attention"
std::string runs_text(const std::vector<LayerRun>& runs) {
  std::vector<std::string> words;
  for (const LayerRun& run : runs)
    words.push_back(run.count > 1 ? fmt::format("{} x {}", run.count, run.layers) : run.layers);
  return fmt::format("{}", fmt::join(words, ", "));
}

base::Json json_of(const std::vector<LayerRun>& runs) {
  base::Json list = base::Json::array();
  for (const LayerRun& run : runs) list.push_back({{"layers", run.layers}, {"count", run.count}});
  return list;
}

// The shortest row of layers that repeats, how often it does, and what is left: "5 x sliding_attention, full_attention;
// 5 times, then 4 x sliding_attention".
void add_order(Document& document, const Model& model) {
  const std::vector<std::size_t>& layers = model.kind_of_layer;
  if (model.kinds.size() < 2 || layers.empty()) return;
  std::size_t period = 1;
  while (period < layers.size() &&
         !std::equal(layers.begin() + static_cast<std::ptrdiff_t>(period), layers.end(), layers.begin()))
    ++period;
  const std::size_t times = layers.size() / period;
  const auto repeated = runs_of(model, 0, period), rest = runs_of(model, times * period, layers.size());
  std::string text = "order: " + runs_text(repeated);
  if (times > 1) text += fmt::format("; {} times", times);
  if (!rest.empty()) text += ", then " + runs_text(rest);
  document.add("order", {{"repeated", json_of(repeated)}, {"times", times}, {"then", json_of(rest)}}, {text});
}

template <class Item, class Make>
std::vector<Fact> facts_of(const std::vector<Item>& items, const Make& make) {
  std::vector<Fact> facts;
  for (const Item& item : items) facts.push_back(make(item));
  return facts;
}

Fact fact_of(const Model& model, const LayerKind& kind) {
  return {"",
          {{"layers", kind.name},
           {"scheme", kind.scheme},
           {"parameters", base::Json::parse(kind.set.to_json())},
           {"heads", kind.heads},
           {"head_width", kind.head_width}},
          fmt::format("{}: {}", layers_text(model, kind), importing::variant_text(kind))};
}

std::vector<Fact> used_keys(const Model& model) {
  std::size_t width = 0;
  for (const UsedKey& key : model.used) width = std::max(width, key.key.size() + key.value.size());
  return facts_of(model.used, [&](const UsedKey& key) -> Fact {
    return {"",
            {{"key", key.key}, {"value", key.value}, {"meaning", key.meaning}},
            fmt::format("{} = {:<{}}  {}", key.key, key.value, width - key.key.size(), key.meaning)};
  });
}

Fact fact_of(const Difference& one) {
  return {"",
          {{"layers", one.layers},
           {"parameter", one.parameter},
           {"transformers 4", base::Json::parse(data::to_json(one.by_transformers_4))},
           {"transformers 5", base::Json::parse(data::to_json(one.by_transformers_5))}},
          fmt::format("{}{}: {} by transformers 4, {} by transformers 5", one.layers.empty() ? "" : one.layers + ", ",
                      one.parameter, data::to_text(one.by_transformers_4), data::to_text(one.by_transformers_5))};
}

// How readers of the two forms differ.
void add_readers(Document& document, const Model& model) {
  const char* other = form_text(model.form == Form::transformers_4 ? Form::transformers_5 : Form::transformers_4);
  document.heading("where readers differ");
  document.add("readers_differ", facts_of(model.differences, [](const Difference& one) { return fact_of(one); }));
  Document::Lines refusal, alone;
  if (!model.refused_by_other.empty())
    refusal.push_back(fmt::format("{} does not read it: {}", other, model.refused_by_other));
  document.add("refused_by_other", model.refused_by_other, refusal);
  for (const std::string& key : model.read_by_other) alone.push_back(fmt::format("{} is read by {} alone", key, other));
  document.add("read_by_other", model.read_by_other, alone);
}

}  // namespace

Document import_document(const Model& model, const std::string& file) {
  Document document(fmt::format("{}: {}, as {} reads it; {} of width {}", base::printable(file),
                                model.family.empty() ? "no model_type" : model.family, form_text(model.form),
                                base::counted(model.heads, "head"), model.head_width));
  document.add("file", file);
  document.add("family", model.family);
  document.add("form", form_text(model.form));
  document.add("heads", model.heads);
  document.add("head_width", model.head_width);
  document.add("kinds", facts_of(model.kinds, [&](const LayerKind& kind) { return fact_of(model, kind); }));
  document.add("kind_of_layer", model.kind_of_layer);
  add_order(document, model);
  document.heading("keys used");
  document.add("used", used_keys(model));
  document.heading("not in the configuration, and taken as its readers do");
  document.add("assumed", facts_of(model.assumed, [](const AssumedValue& one) -> Fact {
                 return {"", {{"meaning", one.meaning}, {"value", one.value}}, one.meaning + " = " + one.value};
               }));
  document.heading("keys about positions that were not understood");
  document.add("not_understood", model.not_understood, model.not_understood);
  document.heading("what the study does not say");
  document.add("not_expressed", facts_of(model.limits, [](const Limit& limit) { return fact_of(limit); }));
  add_readers(document, model);
  return document;
}

}  // namespace poslab::app
