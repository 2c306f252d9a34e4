// SPDX-License-Identifier: Apache-2.0
// Readings, schemes and slips, in their order.
#include "poslab/identify/identify.hpp"

#include <fmt/format.h>

#include <cmath>

#include "poslab/base/find_by.hpp"
#include "poslab/base/text.hpp"
#include "slip_search.hpp"
#include "verdict.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t combinations_in_use = 8000;

bool fits(const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::certain || verdict.kind == Verdict::Kind::several;
}
bool fits_in_its_precision(const Verdict& verdict) {  // nothing was emulated
  return fits(verdict) && !verdict.named->precision.is_emulated();
}
// The same reading, but that keys after the query are looked at, too; itself if there is none.
std::size_t without_mask(const std::vector<Evidence>& all, std::size_t reading) {
  const Evidence& one = all[reading];
  for (std::size_t i = 0; i < all.size(); ++i)
    if (one.causal && !all[i].causal && all[i].layout == one.layout && all[i].scale == one.scale) return i;
  return reading;
}

// Whether numbers that are not looked at differ from each other, as masks do not.
bool leaves_out_numbers(const Evidence& evidence, const Evidence& whole) {
  for (std::size_t o = 0; o < evidence.observations.size(); ++o) {
    const std::vector<double>&seen = evidence.observations[o]->numbers(), &all = whole.observations[o]->numbers();
    std::optional<double> first;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!std::isnan(seen[i]) || !std::isfinite(all[i])) continue;
      if (!first) first = all[i];
      if (all[i] != *first) return true;
    }
  }
  return false;
}

bool is_better(const Verdict& a, const Verdict& b) {
  if (fits_in_its_precision(a) != fits_in_its_precision(b)) return fits_in_its_precision(a);
  if (a.kind == Verdict::Kind::nothing && b.kind == Verdict::Kind::nothing) return a.named && !b.named;
  return a.kind < b.kind;
}

bool is_weaker_than_a_slip(Verdict::Kind kind) {
  return kind == Verdict::Kind::nothing || kind == Verdict::Kind::offsets || kind == Verdict::Kind::structure;
}

// How it compares in the reading in which that is best.
Expected best_of(const Named& expected, const std::vector<Evidence>& all, const Plugins& plugins) {
  const auto rank = [](const Expected& one) {
    if (!one.refusal.empty()) return 0;
    if (!one.inside) return 1;
    return one.holds() ? 4 : one.precision.is_emulated() ? 2 : 3;
  };
  std::optional<Expected> best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Expected one = fit_of(expected, all[i], plugins, leaves_out_numbers(all[i], all[without_mask(all, i)]));
    if (!best || rank(one) > rank(*best)) best = std::move(one);
  }
  return *best;
}

// With what the reading leaves open.
Verdict completed(Verdict verdict, const Evidence& evidence, const std::optional<Expected>& compared) {
  verdict.expected = compared;
  if (compared && compared->holds() && verdict.kind == Verdict::Kind::several)
    verdict.expected->is_one_of_several = !verdict.others.empty();
  if (shows_one_place(evidence)) {
    verdict.silences.push_back({Silence::Kind::one_place});
    if (verdict.kind == Verdict::Kind::certain) verdict.kind = Verdict::Kind::several;
  }
  if (evidence.layout_is_open)
    verdict.silences.push_back(
        {.kind = Silence::Kind::layout, .heads = evidence.model.heads, .positions = evidence.positions.extent(0)});
  if (evidence.masked > 0) verdict.silences.push_back({.kind = Silence::Kind::masked, .numbers = evidence.masked});
  return verdict;
}

}  // namespace

std::string Named::text() const {
  std::string inside;
  for (const auto& [name, value] : parameters) {
    std::string word = data::to_text(value);
    if (const auto* number = std::get_if<double>(&value)) word = base::shortest(*number);
    inside += fmt::format("{}{}={}", inside.empty() ? "" : ", ", name, word);
  }
  return scheme + (inside.empty() ? "" : "(" + inside + ")");
}

bool Expected::holds() const {
  return inside && !precision.is_emulated() && !slip && !by_other_layout && !by_any_numbers && !by_keys_before;
}

bool Verdict::is_silent_of(Silence::Kind what) const {
  return base::find_by(silences, &Silence::kind, what) != nullptr;
}

bool Verdict::succeeds() const {
  if (is_silent_of(Silence::Kind::one_place)) return false;
  if (expected) return expected->holds();
  return kind != Kind::nothing && kind != Kind::offsets;
}

Verdict identify(const Dump& dump, const Request& request, const Plugins& plugins,
                 const std::optional<Named>& expected) {
  std::optional<Verdict> best;
  std::size_t tried = 0;
  std::vector<Evidence> all = readings(dump, request);
  std::optional<Expected> compared;
  if (expected) compared = best_of(*expected, all, plugins);
  if (auto nothing = verdict_of_nothing(all.front(), plugins)) return completed(*nothing, all.front(), compared);
  // Few numbers of each scheme first: what fits with few, read in any way, is named, and nothing that needs more.
  std::vector<Search> searches;
  std::size_t read_as = 0;
  const auto take = [&](std::size_t reading, Verdict verdict) {
    tried += verdict.candidates;
    if (!best || is_better(verdict, *best)) best = std::move(verdict), read_as = reading;
  };
  for (std::size_t i = 0; i < all.size() && !(best && fits_in_its_precision(*best)); ++i) {
    searches.emplace_back(all[i], plugins);
    take(i, verdict_of(all[i], searches[i].with(few_combinations, Looks::for_a_fit), plugins));
  }
  std::optional<Explained> explained;
  if (!fits(*best)) {
    // A slip of a variant with few numbers explains what no numbers but odd ones of the same scheme could.
    SlipSearch slips(all.front(), plugins, searches.front().variants());
    explained = slips.first();
    const std::string only = explained && explained->found ? explained->found->fit.named.scheme : "";
    if (!explained || !only.empty()) {
      best.reset();
      for (std::size_t i = 0; i < all.size() && !(best && fits(*best)); ++i)
        take(i,
             verdict_of(all[i],
                        searches[i].with(explained ? few_combinations : combinations_in_use, Looks::for_nearest, only),
                        plugins));
    }
    if (!explained && best->kind == Verdict::Kind::nothing) explained = slips.at_bucket_edges();
    if (!explained && best->kind == Verdict::Kind::nothing) explained = slips.at_free_rows();
  }
  if (fits(*best))
    if (const std::size_t whole = without_mask(all, read_as); leaves_out_numbers(all[read_as], all[whole])) {
      SlipSearch slips(all[whole], plugins, searches[whole].variants());
      explained = slips.at_bucket_edges();
      if (!explained) explained = slips.first();
      if (explained) best->kind = Verdict::Kind::nothing;
      if (!explained) best->kind = Verdict::Kind::several, best->silences.push_back({Silence::Kind::keys_ahead});
    }
  // A formula with a slip says more than one whose numbers are free.
  if (explained && is_weaker_than_a_slip(best->kind)) {
    if (best->kind == Verdict::Kind::structure) best->others.clear();
    if (best->kind == Verdict::Kind::offsets) best->named = best->nearest;
    best->kind = Verdict::Kind::nothing;
    best->slip = explained->slip;
    if (explained->found) best->slipped = explained->found->fit;
  }
  best->candidates = tried;
  if (expected) take_as_rival(*expected, *best, all[read_as], plugins);
  return completed(*best, all[read_as], compared);
}

}  // namespace poslab::identify
