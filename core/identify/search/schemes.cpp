// SPDX-License-Identifier: Apache-2.0
#include "search/schemes.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "search/naming.hpp"

namespace poslab::identify {
namespace {

bool comes_first(const Found& a, const Found& b) {
  if (a.fit.inside != b.fit.inside) return a.fit.inside;
  if (!a.fit.inside) {  // of those that are about as near, the plainer one
    const auto step = [](const Found& f) { return std::floor(2 * std::log2(f.distance + 1e-12)); };
    return step(a) != step(b) ? step(a) < step(b) : a.length.words < b.length.words;
  }
  const auto emulated = [](const Found& f) { return f.fit.precision.is_emulated(); };
  if (freedom_of(a) != freedom_of(b)) return freedom_of(a) < freedom_of(b);
  if (emulated(a) != emulated(b)) return !emulated(a);
  if (a.solved.weights != b.solved.weights) return a.solved.weights < b.solved.weights;
  return is_plainer(a, b);
}

std::vector<Variant> starting_at(const data::Values& numbers, std::vector<Variant> variants, const Maker& maker) {
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

}  // namespace

bool is_free(const Found& found) { return found.weights == WeightsFrom::solved && found.solved.surplus() == 0; }

int freedom_of(const Found& found) {
  if (is_free(found)) return 3;
  if (found.free_list || found.solved.by_offset) return 2;
  return found.weights == WeightsFrom::solved ? 1 : 0;
}

Search::Search(const Evidence& evidence, const Plugins& plugins)
    : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)) {
  for (const auto& plugin : plugins) all_.emplace_back(Maker(plugin, evidence), std::vector<Variant>());
  tbb::parallel_for(std::size_t{0}, all_.size(),
                    [&](std::size_t i) { all_[i].second = variants_of(all_[i].first, evidence_); });
}

KnownVariants Search::variants() const {
  KnownVariants known;
  for (std::size_t i = 0; i < all_.size(); ++i)
    known.emplace(std::pair(plugins_[i].get(), evidence_.model.heads), all_[i].second);
  return known;
}

Result Search::with(std::size_t combinations, Looks looks, const std::string& only) const {
  std::vector<SchemeSearch> schemes;
  bool any_inside = false;
  std::optional<data::Values> fitting;
  for (const auto& [maker, variants] : all_) {
    if (!only.empty() && maker.info().id != only) continue;
    schemes.emplace_back(maker, evidence_, standards_, fitting ? starting_at(*fitting, variants, maker) : variants,
                         fitting ? few_combinations : combinations, looks);
    any_inside = any_inside || schemes.back().any_inside();
    if (fitting) continue;
    fitting = schemes.back().numbers_that_fit();
    // What fits for one length may be another variant's for all.
    if (const auto scheme = fitting ? maker.scheme(*fitting) : nullptr; scheme && depends_on_length(maker, *scheme))
      schemes.emplace_back(maker, evidence_, standards_, starting_at(*fitting, variants, maker), few_combinations,
                           looks);
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

}  // namespace poslab::identify
