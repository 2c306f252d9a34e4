// SPDX-License-Identifier: Apache-2.0
#include "search/fit.hpp"

#include <tbb/parallel_for_each.h>

#include <algorithm>
#include <limits>

#include "search/any_numbers.hpp"
#include "search/grid.hpp"
#include "search/naming.hpp"

namespace poslab::identify {
namespace {

constexpr std::size_t starts_of_any_numbers = 2;

}  // namespace

// One variant, with the numbers that fit, of those that come nearest; where none do, with the nearest.
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
      take(described(variant_.choices));
      return;
    }
    ++tried_;
    const bool is_exact = distance_of(*plain, evidence_) < exact_distance && take_if_inside(variant_.choices);
    if (is_exact && (weights == WeightsFrom::solved || variant_.numbers.empty())) return;
    refuted_ = looks == Looks::for_nearest && !is_exact && weights != WeightsFrom::solved &&
               is_refuted(maker_, evidence_, variant_);
    best_ = nearest_in_use(maker_, evidence_, variant_, refuted_ || is_exact ? std::min(most, few_combinations) : most,
                           looks, tried_);
    for (const Tried& one : best_) take_if_inside(one.values);
    if (found_.empty() && !best_.empty()) take(described(best_.front().values));
  }

  void try_any_numbers() {
    if (refuted_ || fitting()) return;
    for (std::size_t i = 0; i < std::min(starts_of_any_numbers, best_.size()); ++i) {
      std::optional<Found> suited;
      fit_any_numbers(maker_, evidence_, standards_, variant_, best_[i].values, tried_, [&](const FreeFit& fit) {
        if ((suited = inside(fit.values))) suited->free_list = fit.free_list;
        return suited.has_value();
      });
      if (!suited) continue;
      found_.clear();
      found_.push_back(std::move(*suited));
      return;
    }
  }
  std::vector<Found>& found() { return found_; }
  // The nearest of those that fit.
  const Found* fitting() const {
    const auto nearest = std::min_element(found_.begin(), found_.end(),
                                          [](const Found& a, const Found& b) { return a.distance < b.distance; });
    return nearest != found_.end() && nearest->fit.inside ? &*nearest : nullptr;
  }
  const Variant& variant() const { return variant_; }
  std::size_t tried() const { return tried_; }

 private:
  std::optional<Found> inside(const data::Values& values) const {
    Found found = described(values);
    if (!found.fit.inside) return std::nullopt;
    return found;
  }
  bool take_if_inside(const data::Values& values) {
    auto found = inside(values);
    return found && take(std::move(*found));
  }
  bool take(Found found) {
    if (!found.candidate.scheme) return false;
    const auto is_it = [&](const Found& other) { return other.values == found.values; };
    if (std::none_of(found_.begin(), found_.end(), is_it)) found_.push_back(std::move(found));
    return true;
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
    found.distance = distance_of(found.candidate, evidence_, std::numeric_limits<Index>::max(),
                                 std::numeric_limits<double>::infinity(), found.fit.inside ? Rows::all : Rows::few);
    return found;
  }

  const Maker& maker_;
  const Evidence& evidence_;
  const std::vector<Standard>& standards_;
  Variant variant_;
  std::size_t tried_ = 0;
  bool refuted_ = false;
  std::vector<Tried> best_;
  std::vector<Found> found_;
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
    for (Found& found : variant.found()) {
      name_found(found, state_->maker, state_->evidence, variant.variant());
      all.push_back(std::move(found));
    }
  }
  return all;
}

bool SchemeSearch::any_inside() const {
  return std::any_of(state_->variants.begin(), state_->variants.end(), [](const VariantFit& variant) {
    const Found* const found = variant.fitting();
    return found && found->weights != WeightsFrom::solved;
  });
}

std::optional<data::Values> SchemeSearch::numbers_that_fit() const {
  for (const VariantFit& variant : state_->variants)
    if (const Found* const found = variant.fitting();
        found && found->weights != WeightsFrom::solved && !found->fit.precision.is_emulated())
      return found->values;
  return std::nullopt;
}

std::size_t SchemeSearch::tried() const {
  std::size_t sum = 0;
  for (const VariantFit& variant : state_->variants) sum += variant.tried();
  return sum;
}

}  // namespace poslab::identify
