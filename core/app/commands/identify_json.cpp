// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <vector>

#include "commands/identify.hpp"
#include "commands/identify_words.hpp"

namespace poslab::app {
namespace {

using identify::Fit;
using identify::Place;
using identify::Silence;
using identify::Verdict;

base::Json json_of(const Place& place) {
  base::Json json = base::Json::object();
  if (!place.array.empty()) json["array"] = place.array;
  for (const auto& [name, index] : indices_of(place)) json[name] = index;
  return json;
}

base::Json json_of(const Fit& fit) {
  base::Json json;
  json["scheme"] = fit.named.scheme;
  json["parameters"] = base::Json::parse(fit.named.parameters.to_json());
  json["text"] = fit.named.text();
  json["fits"] = fit.inside;
  if (fit.inside) json["precision"] = precision_text(fit.precision);
  json["largest_difference"] = fit.largest_difference;
  json["allowed_there"] = fit.allowed;
  json["at"] = json_of(fit.place);
  if (fit.departs) json["departs_at"] = json_of(*fit.departs);
  return json;
}

base::Json json_of(const identify::Expected& expected) {
  base::Json json = json_of(static_cast<const Fit&>(expected));
  json["as_expected"] = expected.holds();
  json["others_fit_too"] = expected.is_one_of_several;
  if (expected.slip) json["slip"] = slip_text(*expected.slip);
  if (expected.refusal.empty()) return json;
  json["refused"] = expected.refusal;
  json["largest_difference"] = nullptr;
  return json;
}

const char* word_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::certain: return "certain";
    case Verdict::Kind::several: return "several";
    case Verdict::Kind::structure: return "structure";
    case Verdict::Kind::offsets: return "offsets";
    case Verdict::Kind::free_table: return "free table";
    case Verdict::Kind::nothing: return "nothing";
  }
  return "";
}

}  // namespace

base::Json identify_json(const Verdict& verdict, const std::string& file) {
  base::Json json;
  json["file"] = file;
  json["verdict"] = word_of(verdict.kind);
  json["arrays"] = verdict.arrays;
  if (!verdict.layout.empty()) json["layout"] = verdict.layout;
  if (verdict.causal) json["causal"] = *verdict.causal;
  const auto list = [&](const std::vector<Fit>& fits) {
    base::Json all = base::Json::array();
    for (const Fit& fit : fits) all.push_back(json_of(fit));
    return all;
  };
  json["named"] = verdict.named && !is_near_only(verdict) ? json_of(*verdict.named) : base::Json();
  const std::optional<Fit>& nearest = is_near_only(verdict) && verdict.named ? verdict.named : verdict.nearest;
  json["nearest"] = nearest ? json_of(*nearest) : base::Json();
  json["others"] = list(verdict.others);
  json["equals"] = base::Json::array();
  for (const identify::Named& equal : verdict.equals) json["equals"].push_back(equal.text());
  if (verdict.slip) json["slip"] = {{"sentence", slip_text(*verdict.slip)}};
  if (verdict.slipped) json["slip"]["of"] = json_of(*verdict.slipped);
  json["says_nothing_of"] = base::Json::array();
  for (const Silence& silence : verdict.silences)
    json["says_nothing_of"].push_back(silence_text(silence, verdict.layout));
  if (verdict.expected) json["expected"] = json_of(*verdict.expected);
  json["candidates"] = verdict.candidates;
  return json;
}

}  // namespace poslab::app
