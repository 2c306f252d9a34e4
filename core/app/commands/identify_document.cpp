// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "commands/identify.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using identify::Expected;
using identify::Fit;
using identify::Precision;
using identify::Silence;
using identify::Verdict;
using Lines = Document::Lines;
using app::json_of;

const char* error_text(const Precision& precision) {
  return precision.angles == Precision::Angles::float64 ? "float64 gives" : "float32 angles give";
}

std::string difference_text(const Fit& fit) {
  const std::string error = fit.precision.angles == Precision::Angles::rounded
                                ? fmt::format("rounding to {} gives", fit.precision.stored)
                                : error_text(fit.precision);
  return fmt::format("largest difference {:.2g} at {}; within what {} ({:.2g})", fit.largest_difference,
                     place_text(fit.place), error, fit.allowed);
}

std::string nearest_text(const Fit& fit) {
  if (!fit.departs) return fit.named.text();
  return fmt::format("{}: departs first at {}; largest difference {:.2g} at {}", fit.named.text(),
                     place_text(*fit.departs), fit.largest_difference, place_text(fit.place));
}

base::Json json_of(const Fit& fit) {
  base::Json json{{"scheme", fit.named.scheme},
                  {"parameters", base::Json::parse(fit.named.parameters.to_json())},
                  {"text", fit.named.text()},
                  {"fits", fit.inside}};
  if (fit.inside) json["precision"] = json_of(fact_of(fit.precision));
  json["largest_difference"] = fit.largest_difference;
  json["allowed_there"] = fit.allowed;
  json["at"] = json_of(fit.place);
  if (fit.departs) json["departs_at"] = json_of(*fit.departs);
  return json;
}

base::Json json_of(const std::optional<Fit>& fit) { return fit ? json_of(*fit) : base::Json(); }

base::Json json_of(const std::vector<Fit>& fits) {
  base::Json list = base::Json::array();
  for (const Fit& fit : fits) list.push_back(json_of(fit));
  return list;
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

// What explains the difference, if anything does.
void add_slip(Document& document, const Verdict& verdict, const std::string& before) {
  if (!verdict.slip) return;
  const Fact slip = fact_of(*verdict.slip);
  base::Json json = json_of(slip);
  if (verdict.slipped) json["of"] = json_of(*verdict.slipped);
  document.add("slip", json, {before + slip.sentence});
}

void add_named(Document& document, const Verdict& verdict) {
  const Fit& fit = *verdict.named;
  const std::string name = fit.named.text();
  const bool is_structure = verdict.kind == Verdict::Kind::structure;
  std::string line = name + ", " + fact_of(fit.precision).sentence;
  if (is_structure) line = name + " by its structure: which numbers are the same; what is learned is free";
  if (verdict.kind == Verdict::Kind::free_table) line = "no formula was found; perhaps " + name;
  Lines others;
  if (verdict.kind == Verdict::Kind::several)
    for (const Fit& other : verdict.others) others.push_back("or " + other.named.text() + ": this dump does not tell");
  document.add("named", json_of(fit), {line});
  document.add("others", json_of(verdict.others), others);
  document.add(
      "nearest", json_of(verdict.nearest),
      is_structure && verdict.nearest ? Lines{"the nearest formula is " + nearest_text(*verdict.nearest)} : Lines{});
  add_slip(document, verdict, "which looks like a slip: ");
}

std::string near_text(const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::offsets)
    return "a number for each offset and head, which many schemes learn: no formula fits" +
           (verdict.nearest ? "; nearest is " + nearest_text(*verdict.nearest) : "");
  if (!verdict.named) return "nothing that is known makes arrays like these";
  if (verdict.named->inside) return "no formula fits; by its structure it could be " + verdict.named->named.text();
  return "nothing fits; nearest is " + nearest_text(*verdict.named);
}

// Where what it names is the nearest, and does not fit.
void add_nearest(Document& document, const Verdict& verdict) {
  document.add("named", nullptr);
  const bool says_nothing = !verdict.named && verdict.is_silent_of(Silence::Kind::one_place);
  document.add("nearest", json_of(verdict.named ? verdict.named : verdict.nearest),
               says_nothing ? Lines{} : Lines{near_text(verdict)});
  add_slip(document, verdict,
           verdict.slipped ? fmt::format("explained by {}: ", verdict.slipped->named.text()) : "explained by a slip: ");
  Lines others;
  for (const Fit& other : verdict.others) others.push_back("then " + nearest_text(other));
  document.add("others", json_of(verdict.others), others);
}

// What goes for a variant that was named; of the nearest there is none.
void add_of_named(Document& document, const Verdict& verdict, bool is_named) {
  std::vector<std::string> equals;
  for (const identify::Named& equal : verdict.equals) equals.push_back(equal.text());
  document.add(
      "equals", equals,
      is_named && !equals.empty() ? Lines{"for these positions the same as " + base::enumerate(equals)} : Lines{});
  const auto mask = [](bool causal) {
    return causal ? "keys after the query are masked" : "every query sees every key: there is no mask";
  };
  if (verdict.causal) document.add("causal", *verdict.causal, is_named ? Lines{mask(*verdict.causal)} : Lines{});
}

std::string expected_text(const Verdict& verdict) {
  const Expected& expected = *verdict.expected;
  const std::string text = expected.named.text(), was = fmt::format("expected was {}, ", text);
  if (!expected.refusal.empty()) return was + "which cannot be compared: " + expected.refusal;
  if (!expected.inside) return "expected was another: " + nearest_text(expected);
  if (verdict.is_silent_of(Silence::Kind::one_place)) return was + "of which it says nothing";
  if (expected.slip) return was + "and it is so but for a slip: " + fact_of(*expected.slip).sentence;
  if (expected.by_other_layout) return was + "and it is so if positions come before heads";
  if (expected.by_any_numbers) return was + "and any number for each offset fits that: dump its weights, too";
  if (expected.by_keys_before)
    return was + "and it is so of keys before the query alone: those after it are other ones, and no mask";
  if (expected.is_one_of_several)
    return fmt::format(
        "as expected: {}, as far as this dump tells: others fit as well, which more or farther positions may tell "
        "apart",
        text);
  return fmt::format("as expected: {}{}", text,
                     expected.precision.is_emulated() ? ", but with " + fact_of(expected.precision).sentence : "");
}

void add_expected(Document& document, const Verdict& verdict) {
  const Expected& expected = *verdict.expected;
  base::Json json = json_of(static_cast<const Fit&>(expected));
  json["as_expected"] = expected.holds();
  json["others_fit_too"] = expected.is_one_of_several;
  json["by_other_layout"] = expected.by_other_layout;
  json["by_any_numbers"] = expected.by_any_numbers;
  json["by_keys_before"] = expected.by_keys_before;
  if (expected.slip) json["slip"] = json_of(fact_of(*expected.slip));
  if (!expected.refusal.empty()) {
    json["refused"] = expected.refusal;
    json["largest_difference"] = nullptr;
  }
  const std::string sentence = expected_text(verdict);
  json["sentence"] = sentence;
  document.add("expected", json, {sentence});
}

}  // namespace

Document identify_document(const Verdict& verdict, const std::string& file) {
  Document document(fmt::format("{}: {}", base::printable(file), fmt::join(verdict.arrays, "; ")));
  const bool is_named = verdict.kind != Verdict::Kind::nothing && verdict.kind != Verdict::Kind::offsets;
  document.add("file", file);
  document.add("verdict", word_of(verdict.kind));
  document.add("arrays", verdict.arrays);
  if (!verdict.layout.empty()) document.add("layout", verdict.layout);
  is_named ? add_named(document, verdict) : add_nearest(document, verdict);
  add_of_named(document, verdict, is_named);
  if (is_named) document.add("difference", difference_text(*verdict.named), {difference_text(*verdict.named)});
  std::vector<Fact> silences;
  for (const Silence& silence : verdict.silences) silences.push_back(fact_of(silence, verdict.layout));
  document.add("says_nothing_of", silences);
  if (verdict.expected) add_expected(document, verdict);
  document.add("candidates", verdict.candidates);
  return document;
}

}  // namespace poslab::app
