// SPDX-License-Identifier: Apache-2.0
#include "slips.hpp"

#include <algorithm>

#include "slip_search.hpp"

namespace poslab::identify {
namespace {

bool is_fixed(const Found& found) {
  return found.fit.inside && !found.free_list && found.weights != WeightsFrom::solved &&
         !found.fit.precision.is_emulated();
}

}  // namespace

SlipSearch::SlipSearch(const Evidence& evidence, const Plugins& plugins, KnownVariants variants)
    : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)), variants_(std::move(variants)) {
  // A slip and 16 bits together are not looked for.
  std::erase_if(standards_, [](const Standard& standard) { return standard.format != nullptr; });
}

std::optional<Explained> SlipSearch::first() {
  if (shows_no_positions(evidence_)) return Explained{{Slip::Kind::not_at_all}, std::nullopt};
  if (auto slip = after_good_beginning()) return slip;
  if (auto slip = first_of(position_slips())) return slip;
  if (auto slip = first_of(factor_slips())) return slip;
  if (auto slip = first_of(exchange_slips())) return slip;
  if (auto slip = plain_slopes()) return slip;
  if (auto slip = first_of(head_order_slips())) return slip;
  const auto constants = [](const auto& array) { return array->up_to_constants(); };
  if (auto slip = first_of({slip_in_arrays({Slip::Kind::constant}, constants)})) return slip;
  return one_array_alone();
}

std::optional<Explained> SlipSearch::first_of(const std::vector<SlipRow>& rows) {
  for (const SlipRow& row : rows)
    if (const auto corrected = row.corrected(evidence_))
      if (auto found = search(*corrected)) return Explained{row.slip, std::move(found)};
  return std::nullopt;
}

const std::vector<Variant>& SlipSearch::variants(const Maker& maker, const host::Plugin& plugin) {
  const auto [place, is_new] = variants_.try_emplace({&plugin, maker.evidence().model.heads});
  if (is_new) place->second = variants_of(maker, maker.evidence());
  return place->second;
}

void SlipSearch::for_usual_variants(const std::function<void(const Candidate&)>& use) {
  for (const auto& plugin : plugins_) {
    Maker maker(plugin, evidence_);
    maker.leave_out_solved();
    for (const Variant& variant : variants(maker, *plugin))
      if (const auto candidate = maker.candidate(variant.choices)) use(*candidate);
  }
}

std::optional<Found> SlipSearch::search(const Evidence& evidence, Looks looks) {
  std::optional<Found> best;
  for (const auto& plugin : plugins_) {
    Maker maker(plugin, evidence);
    maker.leave_out_solved();
    SchemeSearch scheme(maker, evidence, standards_, variants(maker, *plugin), few_combinations, looks);
    if (looks == Looks::for_nearest && !scheme.any_inside()) scheme.try_any_numbers();
    for (Found& found : scheme.take())
      if (is_fixed(found) && (!best || is_plainer(found, *best))) best = std::move(found);
  }
  return best;
}

Fit SlipSearch::fit_to(const Evidence& evidence, const Found& found) const {
  Fit fit = best_fit(found.candidate, evidence, standards_);
  fit.named = found.fit.named;
  return fit;
}

std::optional<Explained> SlipSearch::at_bucket_edges() {
  if (evidence_.observations.size() != 1 || evidence_.observations.front()->kind() != Kind::bias) return std::nullopt;
  std::optional<Explained> best;
  for (const auto& plugin : plugins_) {
    const Maker maker(plugin, evidence_);
    SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations, Looks::for_nearest);
    for (Found& found : scheme.take()) {
      if (is_free(found) || found.solved.by_offset) continue;
      const auto count = maker.offsets_beside(found.candidate);
      if (count && (!best || static_cast<double>(*count) < best->slip.amount))
        best = Explained{{Slip::Kind::bucket_edge, static_cast<double>(*count)}, std::move(found)};
    }
  }
  return best;
}

SlipRow slip_in_positions(const Slip& slip, PositionMap map) {
  return {slip, [map = std::move(map)](const Evidence& evidence) -> std::optional<Evidence> {
            Evidence corrected = evidence.copy();
            for (double& position : corrected.positions.flat()) position = map(position);
            return corrected;
          }};
}

SlipRow slip_in_arrays(const Slip& slip, ArrayChange change) {
  return {slip, [change = std::move(change)](const Evidence& evidence) -> std::optional<Evidence> {
            Evidence corrected = evidence.copy();
            bool changed = false;
            for (auto& array : corrected.observations)
              if (auto other = change(array)) array = std::move(other), changed = true;
            if (!changed) return std::nullopt;
            return corrected;
          }};
}

SlipRow slip_in_array(std::size_t array, Slip slip, ArrayChange change) {
  return {std::move(slip), [array, change = std::move(change)](const Evidence& evidence) -> std::optional<Evidence> {
            auto other = change(evidence.observations[array]);
            if (!other) return std::nullopt;
            Evidence corrected = evidence.copy();
            corrected.observations[array] = std::move(other);
            return corrected;
          }};
}

bool is_unchanged(const Evidence& evidence) {
  return std::all_of(evidence.observations.begin(), evidence.observations.end(),
                     [](const auto& observation) { return observation->is_unchanged(); });
}

bool shows_one_place(const Evidence& evidence) {
  const Kind kind = evidence.observations.front()->kind();
  const bool of_offsets = kind == Kind::bias || kind == Kind::logits || kind == Kind::outputs;
  for (Index n = 0; n < evidence.positions.extent(0); ++n)
    for (Index axis = 0; axis < evidence.positions.extent(1); ++axis)
      if (evidence.positions(n, axis) != (of_offsets ? evidence.positions(0, axis) : 0)) return false;
  return true;
}

bool shows_no_positions(const Evidence& evidence) { return !shows_one_place(evidence) && is_unchanged(evidence); }

}  // namespace poslab::identify
