// SPDX-License-Identifier: Apache-2.0
#include "commands/identify.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using identify::Fit;
using identify::Place;
using identify::Precision;
using identify::Silence;
using identify::Slip;
using identify::Verdict;

// Those that it has, with their names.
std::vector<std::pair<const char*, base::Index>> indices_of(const Place& place) {
  std::vector<std::pair<const char*, base::Index>> indices{{"batch", place.batch},     {"position", place.position},
                                                           {"head", place.head},       {"plane", place.plane},
                                                           {"channel", place.channel}, {"key", place.key}};
  std::erase_if(indices, [](const auto& index) { return index.second < 0; });
  return indices;
}

std::string place_text(const Place& place) {
  std::vector<std::string> parts;
  if (!place.array.empty()) parts.push_back(place.array);
  for (const auto& [name, index] : indices_of(place)) parts.push_back(fmt::format("{} {}", name, index));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string stored_text(const Precision& precision) {
  return std::string(precision.stored) == "float64" ? "" : fmt::format(", stored in {}", precision.stored);
}

std::string precision_text(const Precision& precision) {
  switch (precision.angles) {
    case Precision::Angles::float64: return "worked out in float64";
    case Precision::Angles::rounded: return "worked out in float64" + stored_text(precision);
    case Precision::Angles::float32:
      return "worked out in float32" + (std::string(precision.stored) == "float32" ? "" : stored_text(precision));
    case Precision::Angles::frequencies: return fmt::format("inverse frequencies in {}", precision.format);
    case Precision::Angles::positions: return fmt::format("positions in {}", precision.format);
    case Precision::Angles::angles: return fmt::format("angles in {}", precision.format);
    case Precision::Angles::tables: return fmt::format("cosines and sines in {}", precision.format);
    case Precision::Angles::all: return fmt::format("frequencies, positions and angles in {}", precision.format);
    case Precision::Angles::slopes: return fmt::format("slopes in {}", precision.format);
  }
  return "";
}

std::string error_text(const Precision& precision) {
  switch (precision.angles) {
    case Precision::Angles::float64: return "float64 gives";
    case Precision::Angles::rounded: return fmt::format("rounding to {} gives", precision.stored);
    default: return "float32 angles give";
  }
}

std::string difference_text(const Fit& fit) {
  return fmt::format("largest difference {:.2g} at {}; within what {} ({:.2g})", fit.largest_difference,
                     place_text(fit.place), error_text(fit.precision), fit.allowed);
}

std::string nearest_text(const Fit& fit) {
  return fmt::format("{}: departs first at {}; largest difference {:.2g} at {}", fit.named.text(),
                     fit.departs ? place_text(*fit.departs) : "no number", fit.largest_difference,
                     place_text(fit.place));
}

std::string silence_text(const Silence& silence) {
  switch (silence.kind) {
    case Silence::Kind::pairing:
      return "cosines, sines and frequencies do not say which channels are paired (interleaved or half-split): dump a "
             "query before and after";
    case Silence::Kind::parameter:
      return fmt::format("this dump would look the same with another {}", silence.parameter);
    case Silence::Kind::one_head: return "one head alone does not say how slopes go from head to head: dump all heads";
    case Silence::Kind::square_grid:
      return "this dump would look the same if rows and columns were exchanged in the grid's own order: dump a grid "
             "that "
             "is no square";
    case Silence::Kind::magnitude:
      return "frequencies do not say by how much queries and keys stretch: dump cosines and sines";
    case Silence::Kind::keys_ahead:
      return "keys after the query are not what it makes of them, and were taken for masked";
    case Silence::Kind::free_table: return "any table could have been learned: by its numbers nothing is known of it";
  }
  return "";
}

std::string slip_text(const Slip& slip) {
  const std::string amount = base::shortest(slip.amount);
  switch (slip.kind) {
    case Slip::Kind::off_by_one: return fmt::format("positions are off by {}", amount);
    case Slip::Kind::restarts:
      return fmt::format("positions begin anew every {} tokens, as in packed sequences", amount);
    case Slip::Kind::cut: return fmt::format("positions stay where they are from {} on", amount);
    case Slip::Kind::joined:
      return fmt::format("tokens from {} on are as at position 0: joined without being rotated", amount);
    case Slip::Kind::twice: return fmt::format("applied {} times", amount);
    case Slip::Kind::not_at_all: return "not applied at all, if it is not meant to have no positions";
    case Slip::Kind::sign: return "the sign is the other one";
    case Slip::Kind::scale: return fmt::format("multiplied by {}", amount);
    case Slip::Kind::magnitude: return fmt::format("the attention factor is there to the power {}", amount);
    case Slip::Kind::wrong_width: return fmt::format("the exponent goes over {} times the rotary width", amount);
    case Slip::Kind::plain_slopes: return "slopes go on as 2^(-8 h / H), though the number of heads is no power of two";
    case Slip::Kind::axes_exchanged: return "rows and columns are exchanged";
    case Slip::Kind::transposed: return "queries and keys of the bias are exchanged: it is transposed";
    case Slip::Kind::sides_exchanged: return "queries are treated as keys";
    case Slip::Kind::layout_exchanged:
      return "cosines are laid out for one pairing, and channels are paired by the other";
    case Slip::Kind::mask_missing: return "keys after the query are not masked";
    case Slip::Kind::bucket_edge: return fmt::format("{} offsets lie in the bucket beside theirs", amount);
  }
  return "";
}

std::string indented(const std::string& line) { return "  " + line + "\n"; }

std::string named_text(const Verdict& verdict) {
  const Fit& fit = *verdict.named;
  std::string text;
  switch (verdict.kind) {
    case Verdict::Kind::certain: text = indented(fit.named.text() + ", " + precision_text(fit.precision)); break;
    case Verdict::Kind::several:
      text = indented(fit.named.text() + ", " + precision_text(fit.precision));
      for (const Fit& other : verdict.others)
        text += indented("or " + other.named.text() + ": this dump does not tell");
      break;
    case Verdict::Kind::structure:
      text = indented(fit.named.text() + " by its structure: which numbers are the same; what is learned is free");
      break;
    case Verdict::Kind::free_table: text = indented("no formula was found; perhaps " + fit.named.text()); break;
    case Verdict::Kind::nothing: break;
  }
  if (verdict.slip) text += indented("which looks like a slip: " + slip_text(*verdict.slip));
  std::vector<std::string> equals;
  for (const identify::Named& equal : verdict.equals) equals.push_back(equal.text());
  if (!equals.empty()) text += indented("for these positions the same as " + base::enumerate(equals));
  if (verdict.causal)
    text +=
        indented(*verdict.causal ? "keys after the query are masked" : "every query sees every key: there is no mask");
  return text + indented(difference_text(fit));
}

std::string nothing_text(const Verdict& verdict) {
  std::string text = verdict.named ? indented("nothing fits; nearest is " + nearest_text(*verdict.named))
                                   : indented("nothing that is known makes arrays like these");
  if (verdict.slip)
    text += indented(verdict.slipped
                         ? fmt::format("explained by {}: {}", verdict.slipped->named.text(), slip_text(*verdict.slip))
                         : "explained by a slip: " + slip_text(*verdict.slip));
  for (const Fit& other : verdict.others) text += indented("then " + nearest_text(other));
  return text;
}

std::string expected_text(const Verdict& verdict) {
  if (!verdict.expected) return "";
  if (!verdict.expected->inside) return indented("expected was another: " + nearest_text(*verdict.expected));
  return indented(fmt::format(
      "as expected: {}{}", verdict.expected->named.text(),
      verdict.expected->precision.is_emulated() ? ", but with " + precision_text(verdict.expected->precision) : ""));
}

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

const char* word_of(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::certain: return "certain";
    case Verdict::Kind::several: return "several";
    case Verdict::Kind::structure: return "structure";
    case Verdict::Kind::free_table: return "free table";
    case Verdict::Kind::nothing: return "nothing";
  }
  return "";
}

}  // namespace

std::string identify_text(const Verdict& verdict, const std::string& file) {
  std::string text = fmt::format("{}: {}\n", file, fmt::join(verdict.arrays, "; "));
  text += verdict.kind == Verdict::Kind::nothing ? nothing_text(verdict) : named_text(verdict);
  for (const Silence& silence : verdict.silences) text += indented(silence_text(silence));
  return text + expected_text(verdict);
}

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
  json["named"] = verdict.named && verdict.kind != Verdict::Kind::nothing ? json_of(*verdict.named) : base::Json();
  json["nearest"] = verdict.named && verdict.kind == Verdict::Kind::nothing ? json_of(*verdict.named) : base::Json();
  json["others"] = list(verdict.others);
  json["equals"] = base::Json::array();
  for (const identify::Named& equal : verdict.equals) json["equals"].push_back(equal.text());
  if (verdict.slip) json["slip"] = {{"sentence", slip_text(*verdict.slip)}};
  if (verdict.slipped) json["slip"]["of"] = json_of(*verdict.slipped);
  json["says_nothing_of"] = base::Json::array();
  for (const Silence& silence : verdict.silences) json["says_nothing_of"].push_back(silence_text(silence));
  if (verdict.expected) json["expected"] = json_of(*verdict.expected);
  json["candidates"] = verdict.candidates;
  return json;
}

}  // namespace poslab::app
