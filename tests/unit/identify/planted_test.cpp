// SPDX-License-Identifier: Apache-2.0
// The slips that identify.md lists, planted in dumps of many schemes. For each: is it named? What is no slip in a
// scheme, or makes of it exactly another variant, has that as its right answer.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "catch.hpp"
#include "planted.hpp"

using namespace poslab;
using identify::Precision;
using identify::Slip;
using identify::Verdict;
using planted::Planted;
using planted::Subject;

namespace {

constexpr std::size_t parts = 6;

enum class As { named, same, other, not_named, wrong };

bool is_of(const Verdict& verdict, const std::string& scheme) {
  const auto is = [&](const identify::Named& one) { return one.scheme == scheme; };
  return (verdict.named && is(verdict.named->named)) || std::any_of(verdict.equals.begin(), verdict.equals.end(), is) ||
         std::any_of(verdict.others.begin(), verdict.others.end(),
                     [&](const identify::Fit& fit) { return is(fit.named); });
}
bool explains(const Planted& planted, const Verdict& verdict) {
  return verdict.slip &&
         std::find(planted.kinds.begin(), planted.kinds.end(), verdict.slip->kind) != planted.kinds.end() &&
         (!planted.amount ||
          std::abs(verdict.slip->amount - *planted.amount) < 1e-6 * std::abs(*planted.amount) + 1e-9);
}
const char* stage_of(const Precision& precision) {
  switch (precision.angles) {
    case Precision::Angles::frequencies: return "frequencies";
    case Precision::Angles::positions: return "positions";
    case Precision::Angles::angles: return "angles";
    case Precision::Angles::tables: return "tables";
    default: return "";
  }
}
bool is_same(const dumps::Dump& a, const dumps::Dump& b) {
  for (std::size_t i = 0; i < a.arrays.size(); ++i)
    for (std::size_t n = 0; n < a.arrays[i].numbers.size(); ++n) {
      const double x = a.arrays[i].numbers[n], y = b.arrays[i].numbers[n];
      if (x != y && !(std::abs(x - y) < 3e-7 * std::max(1.0, std::abs(x)))) return false;
    }
  return true;
}

As judged(const Subject& subject, const Planted& planted, bool same, const Verdict& verdict) {
  const std::string& scheme = subject.variant.scheme;
  const bool fits = verdict.kind != Verdict::Kind::nothing;
  if (same) return fits && is_of(verdict, scheme) ? As::same : fits ? As::wrong : As::not_named;
  if (planted.stage) {
    const bool right = fits && is_of(verdict, scheme) && verdict.named &&
                       std::string(stage_of(verdict.named->precision)) == planted.stage;
    return right ? As::named : verdict.kind == Verdict::Kind::certain ? As::wrong : As::not_named;
  }
  // Where nothing happens nothing is left of the scheme, and the slip stands beside `none`.
  const bool is_none = verdict.slip && verdict.slip->kind == Slip::Kind::not_at_all && is_of(verdict, "none");
  const bool of_scheme = fits ? is_of(verdict, scheme) || is_none
                              : verdict.slip && (!verdict.slipped || verdict.slipped->named.scheme == scheme);
  if (explains(planted, verdict) && of_scheme) return As::named;
  if (fits && planted.other && planted.kinds.empty() && verdict.expected && verdict.expected->inside &&
      is_of(verdict, planted.other->scheme))
    return As::other;
  // Where any mask suits, a missing one is no slip of the scheme: the verdict says that there is none.
  if (fits && planted.slip == "mask missing" && is_of(verdict, scheme) && verdict.causal == false) return As::other;
  return verdict.kind == Verdict::Kind::certain ? As::wrong : As::not_named;
}

char letter_of(As as) {
  switch (as) {
    case As::named: return '+';
    case As::same: return '=';
    case As::other: return 'o';
    case As::not_named: return '-';
    case As::wrong: return 'X';
  }
  return '?';
}

std::string said(const Verdict& verdict) {
  std::string text = fmt::format("kind {}, {}", static_cast<int>(verdict.kind), dumps::named(verdict));
  if (verdict.named && verdict.named->precision.is_emulated())
    text += fmt::format(" [{} {}]", verdict.named->precision.format, stage_of(verdict.named->precision));
  if (verdict.slip) text += fmt::format(", slip {} {}", static_cast<int>(verdict.slip->kind), verdict.slip->amount);
  if (verdict.slipped) text += " of " + verdict.slipped->named.text();
  for (const auto& other : verdict.others) text += " | " + other.named.text();
  for (const auto& equal : verdict.equals) text += " = " + equal.text();
  return text;
}

// Every sixth of the subjects, so that the parts run side by side; all of them, with those that take long.
void hold(std::size_t first, std::size_t step, bool costly_too) {
  const char* only = std::getenv("POSLAB_PLANTED_ONLY");
  std::map<As, int> counts;
  int all = 0;
  std::vector<Subject> subjects = planted::subjects();
  if (!costly_too) std::erase_if(subjects, [](const Subject& subject) { return subject.costly; });
  for (std::size_t i = first; i < subjects.size(); i += step) {
    const Subject& subject = subjects[i];
    if (only && subject.name.find(only) == std::string::npos) continue;
    const Planted right = planted::right(subject);
    std::string line, misses;
    for (const Planted& planted : planted::slips_of(subject)) {
      const bool same = is_same(planted.dump, right.dump);
      const Verdict verdict = identify::identify(planted.dump, planted.request, dumps::shipped(),
                                                 planted.other ? planted.other : subject.variant);
      const As as = judged(subject, planted, same, verdict);
      ++counts[as], ++all;
      line += fmt::format(" {}{}", letter_of(as), planted.slip);
      if (as == As::wrong || as == As::not_named) misses += fmt::format("    {}: {}\n", planted.slip, said(verdict));
      CAPTURE(subject.name, planted.slip, said(verdict));
      CHECK(as != As::wrong);
    }
    std::cout << fmt::format("{}:{}\n{}", subject.name, line, misses);
  }
  std::cout << fmt::format(
      "{} slips: {} named, {} of no effect and called so, {} another variant and called so, {} not "
      "named, {} wrong\n",
      all, counts[As::named], counts[As::same], counts[As::other], counts[As::not_named], counts[As::wrong]);
  if (!only) CHECK(10 * (counts[As::not_named] + counts[As::wrong]) <= all - counts[As::same]);
}

}  // namespace

TEST_CASE("slips planted in dumps of many schemes: 1 of 6") { hold(0, parts, false); }
TEST_CASE("slips planted in dumps of many schemes: 2 of 6") { hold(1, parts, false); }
TEST_CASE("slips planted in dumps of many schemes: 3 of 6") { hold(2, parts, false); }
TEST_CASE("slips planted in dumps of many schemes: 4 of 6") { hold(3, parts, false); }
TEST_CASE("slips planted in dumps of many schemes: 5 of 6") { hold(4, parts, false); }
TEST_CASE("slips planted in dumps of many schemes: 6 of 6") { hold(5, parts, false); }
TEST_CASE("slips planted in dumps of all schemes of the table", "[.survey]") { hold(0, 1, true); }
