// SPDX-License-Identifier: Apache-2.0
#include "search/fit.hpp"

#include <tbb/parallel_for_each.h>

#include <algorithm>

#include "search/any_numbers.hpp"
#include "search/grid.hpp"
#include "search/naming.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t starts_of_any_numbers = 2;

}  // namespace

// One variant, with the numbers that come nearest.
class VariantFit {
 public:
  VariantFit(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
             const Variant& variant)
      : maker_(maker), evidence_(evidence), standards_(standards), variant_(variant) {}

  void try_numbers_in_use(std::size_t most, Looks looks) {
    const auto plain = maker_.candidate(variant_.choices);
    if (!plain) return;
    const WeightsFrom weights = maker_.weights_from(*plain->scheme);
    // Where the weights alone make any dump, numbers change nothing.
    if (weights == WeightsFrom::solved && maker_.solved(*plain).surplus() == 0) {
      found_ = described(variant_.choices);
      return;
    }
    ++tried_;
    if (distance_of(*plain, evidence_) < exact_distance && (found_ = inside(variant_.choices))) return;
    refuted_ = looks == Looks::for_nearest && weights != WeightsFrom::solved && is_refuted(maker_, evidence_, variant_);
    best_ =
        nearest_in_use(maker_, evidence_, variant_, refuted_ ? std::min(most, few_combinations) : most, looks, tried_);
    for (const Tried& one : best_)
      if ((found_ = inside(one.values))) return;
    if (!best_.empty()) found_ = described(best_.front().values);
  }

  void try_any_numbers() {
    if (refuted_ || !found_ || found_->fit.inside) return;
    for (std::size_t i = 0; i < std::min(starts_of_any_numbers, best_.size()); ++i) {
      std::optional<Found> suited;
      fit_any_numbers(maker_, evidence_, standards_, variant_, best_[i].values, tried_, [&](const FreeFit& fit) {
        if ((suited = inside(fit.values))) suited->free_list = fit.free_list;
        return suited.has_value();
      });
      if (!suited) continue;
      found_ = std::move(suited);
      return;
    }
  }
  std::optional<Found>& found() { return found_; }
  const std::optional<Found>& found() const { return found_; }
  const Variant& variant() const { return variant_; }
  std::size_t tried() const { return tried_; }

 private:
  std::optional<Found> inside(const data::Values& values) const {
    Found found = described(values);
    if (!found.fit.inside) return std::nullopt;
    return found;
  }

  Found described(const data::Values& values) const {
    Found found;
    auto candidate = maker_.candidate(values, true);
    if (!candidate) return found;
    found.candidate = std::move(*candidate);
    found.values = values;
    found.fit = best_fit(found.candidate, evidence_, standards_);
    found.weights = maker_.weights_from(*found.candidate.scheme);
    if (found.weights == WeightsFrom::solved) found.solved = maker_.solved(found.candidate);
    found.distance = distance_of(found.candidate, evidence_);
    return found;
  }

  const Maker& maker_;
  const Evidence& evidence_;
  const std::vector<Standard>& standards_;
  Variant variant_;
  std::size_t tried_ = 0;
  bool refuted_ = false;
  std::vector<Tried> best_;
  std::optional<Found> found_;
};

bool is_plainer(const Found& a, const Found& b) {
  if (a.length.words != b.length.words) return a.length.words < b.length.words;
  return a.distance < b.distance;
}

struct SchemeSearch::State {
  const Maker maker;
  const Evidence& evidence;
  const std::vector<Standard>& standards;
  std::vector<VariantFit> variants = {};  // which know nothing of each other
};

SchemeSearch::SchemeSearch(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                           const std::vector<Variant>& variants, std::size_t max_combinations, Looks looks)
    : state_(new State{maker, evidence, standards}) {
  for (const Variant& variant : variants) state_->variants.emplace_back(state_->maker, evidence, standards, variant);
  tbb::parallel_for_each(state_->variants,
                         [&](VariantFit& variant) { variant.try_numbers_in_use(max_combinations, looks); });
}
SchemeSearch::~SchemeSearch() = default;
SchemeSearch::SchemeSearch(SchemeSearch&&) noexcept = default;

void SchemeSearch::try_any_numbers() {
  tbb::parallel_for_each(state_->variants, [](VariantFit& variant) { variant.try_any_numbers(); });
}

std::vector<Found> SchemeSearch::take() {
  std::vector<Found> all;
  for (VariantFit& variant : state_->variants) {
    if (!variant.found() || !variant.found()->candidate.scheme) continue;
    name_found(*variant.found(), state_->maker, state_->evidence, variant.variant());
    all.push_back(std::move(*variant.found()));
  }
  return all;
}

bool SchemeSearch::any_inside() const {
  return std::any_of(state_->variants.begin(), state_->variants.end(), [](const VariantFit& variant) {
    const auto& found = variant.found();
    return found && found->fit.inside && found->weights != WeightsFrom::solved;
  });
}

std::optional<data::Values> SchemeSearch::numbers_that_fit() const {
  for (const VariantFit& variant : state_->variants)
    if (const auto& found = variant.found();
        found && found->fit.inside && found->weights != WeightsFrom::solved && !found->fit.precision.is_emulated())
      return found->values;
  return std::nullopt;
}

std::size_t SchemeSearch::tried() const {
  std::size_t sum = 0;
  for (const VariantFit& variant : state_->variants) sum += variant.tried();
  return sum;
}

}  // namespace poslab::identify
