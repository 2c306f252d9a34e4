// SPDX-License-Identifier: Apache-2.0
#include "slips.hpp"

#include <algorithm>

#include "explanations.hpp"

namespace poslab::identify {
namespace {

bool is_fixed(const Found& found) {
  return found.fit.inside && !found.free_list && found.weights != WeightsFrom::solved &&
         !found.fit.precision.is_emulated();
}

}  // namespace

Explanations::Explanations(Evidence& evidence, const Plugins& plugins, KnownVariants known)
    : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)), variants_(std::move(known)) {
  // A slip and 16 bits together are not looked for.
  std::erase_if(standards_, [](const Standard& standard) { return standard.format != nullptr; });
}

std::optional<Explained> Explanations::first() {
  if (shows_no_positions(evidence_)) return Explained{{Slip::Kind::not_at_all}, std::nullopt};
  using Try = std::function<std::optional<Explained>()>;
  const std::vector<Try> all{
      [&] { return after_a_good_beginning(); },
      [&] {
        return at_positions({Slip::Kind::off_by_one, 1}, [](double p) { return p + 1; });
      },
      [&] {
        return at_positions({Slip::Kind::off_by_one, -1}, [](double p) { return p - 1; });
      },
      [&] {
        return of_others({Slip::Kind::twice, 2}, &Observation::applied_twice);
      },
      [&] {
        return at_positions({Slip::Kind::twice, 2}, [](double p) { return 2 * p; });
      },
      [&] { return at_positions({Slip::Kind::sign}, [](double p) { return -p; }); },
      [&] { return with_axes_exchanged(); },
      [&] { return scaled(); },
      [&] { return of_others({Slip::Kind::transposed}, &Observation::transposed); },
      [&] { return of_others({Slip::Kind::sides_exchanged}, &Observation::with_sides_exchanged); },
      [&] { return of_others({Slip::Kind::layout_exchanged}, &Observation::with_layout_exchanged); },
      [&] { return plain_slopes(); },
      [&] { return with_heads_exchanged(); },
      [&] { return of_others({Slip::Kind::constant}, &Observation::up_to_constants); },
      [&] { return of_one_alone(); }};
  for (const Try& one : all)
    if (auto found = one()) return found;
  return std::nullopt;
}

const std::vector<Variant>& Explanations::variants(const Maker& maker, const host::Plugin& plugin) {
  const auto [place, is_new] = variants_.try_emplace({&plugin, evidence_.model.heads});
  if (is_new) place->second = variants_of(maker, evidence_);
  return place->second;
}

std::optional<Found> Explanations::search(bool any_numbers) {
  std::optional<Found> best;
  for (const auto& plugin : plugins_) {
    Maker maker(plugin, evidence_);
    maker.leave_out_solved();
    SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations,
                        any_numbers ? Looks::for_nearest : Looks::for_a_fit);
    if (any_numbers && !scheme.any_inside()) scheme.try_any_numbers();
    for (Found& found : scheme.take())
      if (is_fixed(found) && (!best || is_plainer(found, *best))) best = std::move(found);
  }
  return best;
}

std::optional<Explained> Explanations::of_others(
    const Slip& slip, const std::function<std::shared_ptr<const Observation>(const Observation&)>& change) {
  const auto kept = evidence_.observations;
  bool changed = false;
  for (auto& observation : evidence_.observations)
    if (auto other = change(*observation)) observation = std::move(other), changed = true;
  std::optional<Found> found;
  if (changed) found = search();
  evidence_.observations = kept;
  if (!found) return std::nullopt;
  return Explained{slip, std::move(*found)};
}

std::optional<Explained> Explanations::at_bucket_edges() {
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
