// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "commands/identify.hpp"
#include "commands/identify_words.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

using identify::Fit;
using identify::Silence;
using identify::Verdict;

std::string difference_text(const Fit& fit) {
  return fmt::format("largest difference {:.2g} at {}; within what {} ({:.2g})", fit.largest_difference,
                     place_text(fit.place), error_text(fit.precision), fit.allowed);
}

std::string nearest_text(const Fit& fit) {
  if (!fit.departs) return fit.named.text();
  return fmt::format("{}: departs first at {}; largest difference {:.2g} at {}", fit.named.text(),
                     place_text(*fit.departs), fit.largest_difference, place_text(fit.place));
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
      if (verdict.nearest) text += indented("the nearest formula is " + nearest_text(*verdict.nearest));
      break;
    case Verdict::Kind::free_table: text = indented("no formula was found; perhaps " + fit.named.text()); break;
    case Verdict::Kind::offsets:
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

std::string near_text(const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::offsets)
    return "a number for each offset and head, which many schemes learn: no formula fits" +
           (verdict.nearest ? "; nearest is " + nearest_text(*verdict.nearest) : "");
  if (!verdict.named) return "nothing that is known makes arrays like these";
  if (verdict.named->inside) return "no formula fits; by its structure it could be " + verdict.named->named.text();
  return "nothing fits; nearest is " + nearest_text(*verdict.named);
}

std::string nothing_text(const Verdict& verdict) {
  if (!verdict.named && verdict.is_silent_of(Silence::Kind::one_place)) return "";
  std::string text = indented(near_text(verdict));
  if (verdict.slip)
    text += indented(verdict.slipped
                         ? fmt::format("explained by {}: {}", verdict.slipped->named.text(), slip_text(*verdict.slip))
                         : "explained by a slip: " + slip_text(*verdict.slip));
  for (const Fit& other : verdict.others) text += indented("then " + nearest_text(other));
  return text;
}

std::string expected_text(const Verdict& verdict) {
  if (!verdict.expected) return "";
  const identify::Expected& expected = *verdict.expected;
  const std::string text = expected.named.text();
  if (!expected.refusal.empty())
    return indented(fmt::format("expected was {}, which cannot be compared: {}", text, expected.refusal));
  if (!expected.inside) return indented("expected was another: " + nearest_text(expected));
  if (verdict.is_silent_of(Silence::Kind::one_place))
    return indented(fmt::format("expected was {}, of which it says nothing", text));
  if (expected.slip)
    return indented(fmt::format("expected was {}, and it is so but for a slip: {}", text, slip_text(*expected.slip)));
  if (expected.by_other_layout)
    return indented(fmt::format("expected was {}, and it is so if positions come before heads", text));
  if (expected.by_any_numbers)
    return indented(
        fmt::format("expected was {}, and any number for each offset fits that: dump its weights, too", text));
  if (expected.by_keys_before)
    return indented(fmt::format(
        "expected was {}, and it is so of keys before the query alone: those after it are other ones, and no mask",
        text));
  if (expected.is_one_of_several)
    return indented(
        fmt::format("as expected: {}, as far as this dump tells: others fit as well, which more or farther positions "
                    "may tell apart",
                    text));
  return indented(
      fmt::format("as expected: {}{}", text,
                  expected.precision.is_emulated() ? ", but with " + precision_text(expected.precision) : ""));
}

}  // namespace

std::string identify_text(const Verdict& verdict, const std::string& file) {
  std::string text = fmt::format("{}: {}\n", file, fmt::join(verdict.arrays, "; "));
  text += is_near_only(verdict) ? nothing_text(verdict) : named_text(verdict);
  for (const Silence& silence : verdict.silences) text += indented(silence_text(silence, verdict.layout));
  return text + expected_text(verdict);
}

}  // namespace poslab::app
