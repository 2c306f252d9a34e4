// SPDX-License-Identifier: Apache-2.0
// What was expected, beside a dump and beside what was named.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"
#include "slips.hpp"
#include "verdict.hpp"

namespace poslab::identify {
namespace {

// The same but for digits that a fitted number is told without.
bool is_nearly(const Named& a, const Named& b) {
  constexpr double untold = 1e-6;  // of the number
  const auto has = [&](const auto& parameter) {
    const data::Value* const other = b.parameters.find(parameter.first);
    const auto* const x = std::get_if<double>(&parameter.second);
    const auto* const y = other ? std::get_if<double>(other) : nullptr;
    return other && (*other == parameter.second || (x && y && std::abs(*x - *y) <= untold * std::abs(*x)));
  };
  return a.scheme == b.scheme && a.parameters.size() == b.parameters.size() &&
         std::all_of(a.parameters.begin(), a.parameters.end(), has);
}

// The same but for what the order of operations in float64 makes of numbers.
bool are_the_same(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double of_arithmetic = 1e-10;  // of the largest number; angles of far positions lose some digits
  double largest = 0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](double x, double y) { return x == y || std::abs(x - y) <= of_arithmetic * largest; });
}

Expected compared(const Candidate& candidate, const Evidence& evidence) {
  const std::vector<Standard> standards = standards_for(evidence);
  Expected expected{whole_fit(candidate, evidence, standards)};
  if (expected.inside) expected.slip = slip_of_use(*candidate.scheme, evidence);
  if (expected.inside || expected.departs) return expected;
  try {  // it has no numbers there
    compare(candidate, evidence, standards.front(), Rows::all);
  } catch (const base::Error& refusal) {
    expected.refusal = refusal.what();
  }
  return expected;
}

}  // namespace

Expected fit_of(const Named& expected, const Evidence& evidence, const Plugins& plugins, bool leaves_out) {
  for (const auto& plugin : plugins) {
    if (plugin->info().id != expected.scheme) continue;
    const Maker maker(plugin, evidence);
    // Queries that were not rotated are what a scheme that rotates none leaves.
    if (is_unchanged(evidence) && maker.shows_something_else(expected.parameters))
      return {fit_of_nothing(expected, evidence)};
    Expected found;
    if (const auto candidate = maker.candidate(expected.parameters)) {
      found = compared(*candidate, evidence);
      found.by_any_numbers =
          maker.weights_from(*candidate->scheme) == WeightsFrom::solved && maker.solved(*candidate).by_offset;
      found.by_keys_before = leaves_out && candidate->scheme->mask() != host::Mask::causal_only;
    } else {
      found.refusal = maker.why_not(expected.parameters);
    }
    found.by_other_layout = evidence.layout_is_open && evidence.layout != heads_first_layout;
    found.named = expected;
    return found;
  }
  throw base::Error(base::Error::Kind::request, fmt::format("no plugin offers the scheme \"{}\"", expected.scheme));
}

void take_as_rival(const Named& expected, Verdict& verdict, const Evidence& evidence, const Plugins& plugins) {
  if (verdict.kind != Verdict::Kind::certain || is_nearly(expected, verdict.named->named)) return;
  const auto shown = [&](const Named& named) {
    for (const auto& plugin : plugins)
      if (plugin->info().id == named.scheme)
        if (const auto candidate = Maker(plugin, evidence).candidate(named.parameters))
          return glimpse(*candidate, evidence);
    return std::vector<double>();
  };
  const std::vector<double> as_expected = shown(expected);
  if (as_expected.empty() || are_the_same(as_expected, shown(verdict.named->named))) return;
  const Expected fit = fit_of(expected, evidence, plugins);
  if (!fit.holds()) return;
  verdict.others.push_back(static_cast<const Fit&>(fit));
  verdict.kind = Verdict::Kind::several;
}

}  // namespace poslab::identify
