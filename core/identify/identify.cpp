// SPDX-License-Identifier: Apache-2.0
#include "poslab/identify/identify.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "poslab/base/error.hpp"
#include "poslab/base/text.hpp"
#include "search/fit.hpp"
#include "search/numbers.hpp"
#include "slips.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t max_others = 4, many_combinations = 8000;
constexpr std::array learned_names{"wpe", "embed_positions", "position_emb", "pos_emb", "learned"};

struct Result {
  std::vector<Found> found;  // the best of each variant, those inside first
  std::size_t tried = 0;
};

bool is_free(const Found& found) { return found.weights == WeightsFrom::solved && found.surplus == 0; }

// Those that explain more of the dump first: fixed formulas, then free lists and weights; then what is said shortest.
int freedom_of(const Found& found) {
  if (is_free(found)) return 3;
  if (found.free_list) return 2;
  return found.weights == WeightsFrom::solved ? 1 : 0;
}
bool comes_first(const Found& a, const Found& b) {
  if (a.fit.inside != b.fit.inside) return a.fit.inside;
  if (!a.fit.inside) {  // of those that are about as near, the plainer one
    const auto step = [](const Found& f) { return std::floor(2 * std::log2(f.distance + 1e-12)); };
    return step(a) != step(b) ? step(a) < step(b) : a.length < b.length;
  }
  const auto emulated = [](const Found& f) { return *f.fit.precision.format != '\0'; };
  if (freedom_of(a) != freedom_of(b)) return freedom_of(a) < freedom_of(b);
  if (emulated(a) != emulated(b)) return !emulated(a);
  return is_plainer(a, b);
}

// One way to read a dump, with the variants that could have made it.
class Search {
 public:
  Search(const Evidence& evidence, const Plugins& plugins)
      : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)) {
    for (const auto& plugin : plugins) all_.emplace_back(Maker(plugin, evidence), std::vector<Variant>());
    tbb::parallel_for(std::size_t{0}, all_.size(),
                      [&](std::size_t i) { all_[i].second = variants_of(all_[i].first, evidence_); });
  }
  KnownVariants variants() const {
    KnownVariants known;
    for (std::size_t i = 0; i < all_.size(); ++i)
      known.emplace(std::pair(plugins_[i].get(), evidence_.model.heads), all_[i].second);
    return known;
  }
  // Once a scheme fits, others are tried with its numbers, and with few others. Of all schemes, or of `only` one.
  Result with(std::size_t combinations, Looks looks, const std::string& only = {}) const {
    std::vector<SchemeSearch> schemes;
    bool any_inside = false;
    std::optional<data::Values> fitting;
    for (const auto& [maker, variants] : all_) {
      if (!only.empty() && maker.info().id != only) continue;
      schemes.emplace_back(maker, evidence_, standards_, fitting ? starting_at(*fitting, variants, maker) : variants,
                           fitting ? few_combinations : combinations, looks);
      any_inside = any_inside || schemes.back().any_inside();
      if (!fitting) fitting = schemes.back().numbers_that_fit();
    }
    Result result;
    for (SchemeSearch& scheme : schemes) {
      if (looks == Looks::for_nearest && !any_inside) scheme.try_any_numbers();
      result.tried += scheme.tried();
      for (Found& found : scheme.take()) result.found.push_back(std::move(found));
    }
    std::stable_sort(result.found.begin(), result.found.end(), comes_first);
    return result;
  }

 private:
  static std::vector<Variant> starting_at(const data::Values& numbers, std::vector<Variant> variants,
                                          const Maker& maker) {
    for (Variant& variant : variants) {
      Variant with = variant;
      for (const std::string& name : variant.numbers) {
        const data::Value* const value = numbers.find(name);
        if (!value || variant.choices.contains(name)) continue;
        with.choices.set(name, *value);
        for (data::Values& same : with.same) same.set(name, *value);
      }
      if (maker.candidate(with.choices)) variant = std::move(with);
    }
    return variants;
  }

  const Evidence& evidence_;
  const Plugins& plugins_;
  std::vector<Standard> standards_;
  std::vector<std::pair<Maker, std::vector<Variant>>> all_;
};

// Another variant of the same scheme that says more and shows the same is no rival: a factor of 1, a limit that is not
// reached.
bool is_rival(const Found& found, const Found& best) {
  if (!found.fit.inside || freedom_of(found) > freedom_of(best)) return false;
  if (*found.fit.precision.format != '\0' && *best.fit.precision.format == '\0') return false;
  if (found.fit.named == best.fit.named) return false;
  if (found.fit.named.scheme != best.fit.named.scheme) return true;
  return found.length <= best.length + 1;
}

// One variant of every other scheme is enough.
bool is_new(const Verdict& verdict, const std::string& scheme, const Found& best) {
  if (scheme == best.fit.named.scheme) return true;
  const auto is = [&](const Named& named) { return named.scheme == scheme; };
  return std::none_of(verdict.equals.begin(), verdict.equals.end(), is) &&
         std::none_of(verdict.others.begin(), verdict.others.end(), [&](const Fit& fit) { return is(fit.named); });
}

bool is_square_grid(const Evidence& evidence) {
  if (evidence.positions.extent(1) < 2) return false;
  double most[2] = {0, 0};
  for (Index n = 0; n < evidence.positions.extent(0); ++n)
    for (Index a = 0; a < 2; ++a) most[a] = std::max(most[a], evidence.positions(n, a));
  return most[0] == most[1];
}

std::vector<Silence> silences_of(const Evidence& evidence, const Found& best) {
  std::vector<Silence> silences;
  bool shows_channels = false, shows_planes = false, shows_size = false;
  for (const auto& observation : evidence.observations) {
    const Kind kind = observation->kind();
    shows_channels = shows_channels || kind == Kind::rotated || kind == Kind::logits || kind == Kind::outputs;
    shows_planes = shows_planes || kind == Kind::cosines || kind == Kind::sines || kind == Kind::frequencies;
    shows_size = shows_size || kind != Kind::frequencies;
  }
  if (shows_planes && !shows_channels) silences.push_back({Silence::Kind::pairing});
  if (shows_planes && !shows_size) silences.push_back({Silence::Kind::magnitude});
  for (const std::string& name : best.silent)
    if (!(shows_planes && !shows_channels && name == "style")) silences.push_back({Silence::Kind::parameter, name});
  if (is_square_grid(evidence)) silences.push_back({Silence::Kind::square_grid});
  const bool is_bias = evidence.observations.front()->kind() == Kind::bias;
  if (is_bias && evidence.model.heads == 1) silences.push_back({Silence::Kind::one_head});
  return silences;
}

std::optional<Slip> slip_of(const Found& best, const Evidence& evidence, const Plugins& plugins) {
  for (const auto& plugin : plugins)
    if (plugin->info().id == best.fit.named.scheme) return slip_within(best, evidence, Maker(plugin, evidence));
  return std::nullopt;
}

// As models call tables that they learn.
bool is_called_learned(const Evidence& evidence) {
  const std::string name = evidence.observations.front()->arrays();
  return std::any_of(learned_names.begin(), learned_names.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

bool is_unchanged(const Evidence& evidence) {
  return std::all_of(evidence.observations.begin(), evidence.observations.end(),
                     [](const auto& observation) { return observation->is_unchanged(); });
}

Verdict verdict_of(const Evidence& evidence, Result result, const Plugins& plugins) {
  Verdict verdict;
  if (!is_called_learned(evidence)) std::erase_if(result.found, is_free);
  // Where nothing was rotated, what rotates nothing is no name for it.
  if (shows_no_positions(evidence)) std::erase_if(result.found, [](const Found& found) { return found.fit.inside; });
  for (const auto& observation : evidence.observations) verdict.arrays.push_back(observation->arrays());
  verdict.layout = evidence.layout;
  if (std::any_of(evidence.observations.begin(), evidence.observations.end(),
                  [](const auto& observation) { return observation->kind() == Kind::outputs; }))
    verdict.causal = evidence.causal;
  verdict.candidates = result.tried;
  if (result.found.empty()) return verdict;
  const Found& best = result.found.front();
  verdict.named = best.fit;
  if (!best.fit.inside) {
    const std::vector<Standard> standards = standards_for(evidence);
    const auto whole = [&](const Found& found) {
      Fit fit = whole_fit(found.candidate, evidence, standards);
      fit.named = found.fit.named;
      return fit;
    };
    verdict.named = whole(best);
    for (std::size_t i = 1; i < result.found.size() && verdict.others.size() < max_others; ++i)
      if (result.found[i].fit.named.scheme != best.fit.named.scheme) verdict.others.push_back(whole(result.found[i]));
    return verdict;
  }
  const std::vector<double> shown = glimpse(best.candidate, evidence);
  for (std::size_t i = 1; i < result.found.size() && verdict.others.size() < max_others; ++i) {
    const Found& found = result.found[i];
    const bool same_numbers = glimpse(found.candidate, evidence) == shown;
    if (!is_rival(found, best) || !is_new(verdict, found.fit.named.scheme, best) ||
        (same_numbers && found.fit.named.scheme == best.fit.named.scheme))
      continue;
    if (same_numbers)
      verdict.equals.push_back(found.fit.named);
    else
      verdict.others.push_back(found.fit);
  }
  verdict.silences = silences_of(evidence, best);
  verdict.slip = slip_of(best, evidence, plugins);
  if (is_free(best)) {
    verdict.kind = Verdict::Kind::free_table;
    verdict.silences.push_back({Silence::Kind::free_table});
  } else if (best.weights == WeightsFrom::solved || best.free_list) {
    verdict.kind = Verdict::Kind::structure;
  } else if (!verdict.others.empty()) {
    verdict.kind = Verdict::Kind::several;
  } else {
    verdict.kind = Verdict::Kind::certain;
  }
  return verdict;
}

// How what was expected compares.
Fit fit_of(const Named& expected, const Evidence& evidence, const Plugins& plugins) {
  for (const auto& plugin : plugins) {
    if (plugin->info().id != expected.scheme) continue;
    const Maker maker(plugin, evidence);
    // Queries that were not rotated are what a scheme that rotates none leaves.
    if (is_unchanged(evidence) && maker.shows_something_else(expected.parameters))
      return {.named = expected,
              .inside = true,
              .precision = standards_for(evidence).front().precision,
              .place = {},
              .departs = {}};
    Fit fit{.named = {},
            .inside = false,
            .precision = {},
            .largest_difference = std::numeric_limits<double>::infinity(),
            .place = {},
            .departs = {}};
    if (const auto candidate = maker.candidate(expected.parameters))
      fit = whole_fit(*candidate, evidence, standards_for(evidence));
    fit.named = expected;
    return fit;
  }
  throw base::Error(base::Error::Kind::request, fmt::format("no plugin offers the scheme \"{}\"", expected.scheme));
}

bool fits(const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::certain || verdict.kind == Verdict::Kind::several;
}
bool fits_in_its_precision(const Verdict& verdict) {  // nothing was emulated
  return fits(verdict) && *verdict.named->precision.format == '\0';
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

bool Verdict::succeeds() const {
  if (expected) return expected->inside && *expected->precision.format == '\0';
  return kind != Kind::nothing;
}

Verdict identify(const Dump& dump, const Request& request, const Plugins& plugins,
                 const std::optional<Named>& expected) {
  std::optional<Verdict> best;
  std::size_t tried = 0;
  std::optional<Fit> compared;
  std::vector<Evidence> all = readings(dump, request);
  if (expected)
    for (const Evidence& evidence : all)
      if (auto fit = fit_of(*expected, evidence, plugins); !compared || (fit.inside && !compared->inside))
        compared = fit;
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
    explained = explain(all.front(), plugins, searches.front().variants());
    const std::string only = explained && explained->found ? explained->found->fit.named.scheme : "";
    if (!explained || !only.empty()) {
      best.reset();
      for (std::size_t i = 0; i < all.size() && !(best && fits(*best)); ++i)
        take(i, verdict_of(all[i],
                           searches[i].with(explained ? few_combinations : many_combinations, Looks::for_nearest, only),
                           plugins));
    }
    if (!explained && best->kind == Verdict::Kind::nothing)
      explained = explain_edges(all.front(), plugins, searches.front().variants());
  }
  if (fits(*best))
    if (const std::size_t whole = without_mask(all, read_as); leaves_out_numbers(all[read_as], all[whole])) {
      explained = explain_edges(all[whole], plugins, searches[whole].variants());
      if (!explained) explained = explain(all[whole], plugins, searches[whole].variants());
      if (explained) best->kind = Verdict::Kind::nothing;
      if (!explained) best->kind = Verdict::Kind::several, best->silences.push_back({Silence::Kind::keys_ahead});
    }
  // A formula with a slip says more than one whose numbers are free.
  if (explained && (best->kind == Verdict::Kind::nothing || best->kind == Verdict::Kind::structure)) {
    if (best->kind == Verdict::Kind::structure) best->others = {*best->named};
    best->kind = Verdict::Kind::nothing;
    best->slip = explained->slip;
    if (explained->found) best->slipped = explained->found->fit;
  }
  best->candidates = tried;
  best->expected = compared;
  return *best;
}

}  // namespace poslab::identify
