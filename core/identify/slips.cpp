// SPDX-License-Identifier: Apache-2.0
#include "slips.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "poslab/base/error.hpp"
#include "search/numbers.hpp"

namespace poslab::identify {
namespace {

constexpr Index rows_of_a_beginning = 8, rows_of_a_long_beginning = 32, max_ends_of_a_beginning = 16;

Array<double> mapped(View<const double> positions, const std::function<double(double)>& map) {
  Array<double> out(positions.rank, positions.shape);
  for (Index i = 0; i < positions.size(); ++i) out.data()[i] = map(positions.data[i]);
  return out;
}

// The factor that the dump is of what a variant makes, if it is one.
std::optional<double> ratio_to(const Candidate& candidate, const Evidence& evidence) {
  constexpr double same_shape = 1e-6;  // what may be left, of the mean square
  const Setting setting = setting_of(evidence, evidence.positions);
  double seen_shown = 0, shown_shown = 0, seen_seen = 0;
  try {
    for (const auto& observation : evidence.observations) {
      const Index rows = std::min(observation->rows(), rows_of_a_beginning), columns = observation->columns();
      std::vector<double> shown(static_cast<std::size_t>(rows * columns));
      observation->predict(candidate, setting, 0, rows, shown);
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const double seen = observation->number(static_cast<Index>(i) / columns, static_cast<Index>(i) % columns);
        if (!std::isfinite(seen)) continue;
        seen_shown += seen * shown[i], shown_shown += shown[i] * shown[i], seen_seen += seen * seen;
      }
    }
  } catch (const base::Error&) {
    return std::nullopt;
  }
  if (!(shown_shown > 0) || !(seen_seen > 0)) return std::nullopt;
  const double ratio = seen_shown / shown_shown;
  if (!(seen_seen - ratio * seen_shown <= same_shape * seen_seen)) return std::nullopt;
  return ratio;
}

// -1, 2, 1/2, roots of widths, logarithms of 2; else the number itself.
double usual_factor_near(double ratio) {
  constexpr double as_good_as = 1e-5;
  std::vector<double> usual{1, std::log(2.0), 1 / std::log(2.0)};
  for (double n = 2; n <= 8192; ++n)
    for (const double factor : {n, std::sqrt(n), 1 / n, 1 / std::sqrt(n)}) usual.push_back(factor);
  for (const double factor : usual)
    for (const double sign : {1.0, -1.0})
      if (std::abs(ratio - sign * factor) <= as_good_as * factor) return sign * factor;
  return ratio;
}

bool is_fixed(const Found& found) {
  return found.fit.inside && !found.free_list && found.weights != WeightsFrom::solved &&
         *found.fit.precision.format == '\0';
}

class Explanations {
 public:
  Explanations(Evidence& evidence, const Plugins& plugins, KnownVariants known)
      : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)), variants_(std::move(known)) {
    // A slip and 16 bits together are not looked for.
    std::erase_if(standards_, [](const Standard& standard) { return standard.format != nullptr; });
  }

  std::optional<Explained> first() {
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
          return of_others({Slip::Kind::twice, 2}, [](const Observation& one) { return one.applied_twice(); });
        },
        [&] {
          return at_positions({Slip::Kind::twice, 2}, [](double p) { return 2 * p; });
        },
        [&] { return at_positions({Slip::Kind::sign}, [](double p) { return -p; }); },
        [&] { return with_axes_exchanged(); },
        [&] { return scaled(); },
        [&] { return of_others({Slip::Kind::transposed}, [](const Observation& one) { return one.transposed(); }); },
        [&] {
          return of_others({Slip::Kind::sides_exchanged},
                           [](const Observation& one) { return one.with_sides_exchanged(); });
        },
        [&] {
          return of_others({Slip::Kind::layout_exchanged},
                           [](const Observation& one) { return one.with_layout_exchanged(); });
        },
        [&] { return plain_slopes(); }};
    for (const Try& one : all)
      if (auto found = one()) return found;
    return std::nullopt;
  }

  std::optional<Explained> at_bucket_edges() {
    if (evidence_.observations.size() != 1 || evidence_.observations.front()->kind() != Kind::bias) return std::nullopt;
    std::optional<Explained> best;
    for (const auto& plugin : plugins_) {
      const Maker maker(plugin, evidence_);
      SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations, Looks::for_nearest);
      for (Found& found : scheme.take()) {
        if (found.weights == WeightsFrom::solved && found.surplus == 0) continue;
        const auto count = maker.offsets_beside(found.candidate);
        if (count && (!best || static_cast<double>(*count) < best->slip.amount))
          best = Explained{{Slip::Kind::bucket_edge, static_cast<double>(*count)}, std::move(found)};
      }
    }
    return best;
  }

 private:
  const std::vector<Variant>& variants(const Maker& maker, const host::Plugin& plugin) {
    const auto [place, is_new] = variants_.try_emplace({&plugin, evidence_.model.heads});
    if (is_new) place->second = variants_of(maker, evidence_);
    return place->second;
  }

  // The best of all variants for what the evidence is now.
  std::optional<Found> search(bool any_numbers = false) {
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

  std::optional<Explained> at_positions(const Slip& slip, const std::function<double(double)>& map) {
    Array<double> kept = std::move(evidence_.positions);
    evidence_.positions = mapped(kept, map);
    auto found = search();
    evidence_.positions = std::move(kept);
    if (!found) return std::nullopt;
    return Explained{slip, std::move(*found)};
  }

  // What fits up to some position: what becomes of positions from there on?
  std::optional<Explained> after_a_good_beginning() {
    const Index N = evidence_.positions.extent(0);
    if (N < 4 || evidence_.positions.extent(1) != 1) return std::nullopt;
    for (const auto& one : evidence_.observations)
      if (!one->by_position() || (one->kind() == Kind::outputs && !evidence_.causal)) return std::nullopt;
    // A window does not show in a short beginning, and a long one may hold the slip.
    for (const Index tokens :
         {std::clamp<Index>(N / 4, 2, rows_of_a_beginning), std::min(N / 2, rows_of_a_long_beginning)}) {
      auto found = of_beginning(tokens);
      if (!found) return std::nullopt;
      if (auto explained = after(*found)) return explained;
    }
    return std::nullopt;
  }

  std::optional<Explained> after(Found& beginning) {
    const Fit whole = whole_fit(beginning.candidate, evidence_, standards_);
    if (!whole.departs || whole.departs->position < 0) return std::nullopt;
    // The first pair that is off may be farther from the beginning than what made it so.
    const bool of_pairs = whole.departs->key >= 0;
    const Index first_off = std::max(whole.departs->position, whole.departs->key);
    for (Index end = first_off; end >= 1 && end > first_off - (of_pairs ? max_ends_of_a_beginning : 1); --end)
      if (auto explained = with_another_end(beginning, end)) return explained;
    return std::nullopt;
  }

  std::optional<Found> of_beginning(Index tokens) {
    const auto kept = evidence_.observations;
    for (auto& observation : evidence_.observations)
      if (auto corner = observation->of_first(tokens)) observation = std::move(corner);
    evidence_.max_rows = tokens;
    auto found = search();
    evidence_.max_rows = std::numeric_limits<Index>::max();
    evidence_.observations = kept;
    return found;
  }

  // Positions from the token of index `end` on are other than they should be.
  std::optional<Explained> with_another_end(Found& found, Index end) {
    const double n = evidence_.positions(end, 0), first = evidence_.positions(0, 0),
                 last = evidence_.positions(end - 1, 0);
    struct Way {
      Slip slip;
      std::function<double(double)> map;
    };
    const std::vector<Way> ways{
        {{Slip::Kind::restarts, n}, [&](double p) { return first + std::fmod(p - first, n - first); }},
        {{Slip::Kind::cut, last}, [&](double p) { return std::min(p, last); }},
        {{Slip::Kind::joined, n}, [&](double p) { return p < n ? p : 0; }}};
    for (const Way& way : ways) {
      const Named named = found.fit.named;
      Array<double> kept = std::move(evidence_.positions);
      evidence_.positions = mapped(kept, way.map);
      found.fit = best_fit(found.candidate, evidence_, standards_);
      found.fit.named = named;
      evidence_.positions = std::move(kept);
      if (found.fit.inside && *found.fit.precision.format == '\0') return Explained{way.slip, std::move(found)};
    }
    return std::nullopt;
  }

  std::optional<Explained> with_axes_exchanged() {
    if (evidence_.positions.extent(1) < 2) return std::nullopt;
    Array<double> kept = std::move(evidence_.positions);
    evidence_.positions = kept.copy();
    const Index last = kept.extent(1) - 1;
    for (Index n = 0; n < kept.extent(0); ++n)
      std::swap(evidence_.positions(n, last), evidence_.positions(n, last - 1));
    auto found = search();
    evidence_.positions = std::move(kept);
    if (!found) return std::nullopt;
    return Explained{{Slip::Kind::axes_exchanged}, std::move(*found)};
  }

  // The dump without the change.
  std::optional<Explained> of_others(
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

  // The factors of -1, roots and powers by which some variant with usual numbers is off.
  std::optional<Explained> scaled() {
    const auto kept = evidence_.observations;
    for (const auto& observation : kept)
      if (observation->kind() == Kind::logits || observation->kind() == Kind::outputs ||
          observation->kind() == Kind::rotated)
        return std::nullopt;
    for (const double factor : factors_of_usual_variants()) {
      const Slip slip{factor == -1  ? Slip::Kind::sign
                      : factor == 2 ? Slip::Kind::twice
                                    : Slip::Kind::scale,
                      factor == -1 ? 0 : factor};
      if (auto found = of_others(slip, [&](const Observation& one) -> std::shared_ptr<const Observation> {
            for (const auto& shared : kept)
              if (shared.get() == &one) return divided(shared, factor);
            return nullptr;
          }))
        return found;
    }
    return std::nullopt;
  }

  std::vector<double> factors_of_usual_variants() {
    std::vector<double> factors;
    for (const auto& plugin : plugins_) {
      Maker maker(plugin, evidence_);
      maker.leave_out_solved();
      for (const Variant& variant : variants(maker, *plugin))
        if (const auto candidate = maker.candidate(variant.choices))
          if (const auto ratio = ratio_to(*candidate, evidence_)) {
            const double factor = usual_factor_near(*ratio);
            if (factor != 1 && std::find(factors.begin(), factors.end(), factor) == factors.end())
              factors.push_back(factor);
          }
    }
    return factors;
  }

  // 2^(-8 (h + 1) / H) for any H: the first heads of a model with so many that they are a power of two, and a steeper
  // end.
  std::optional<Explained> plain_slopes() {
    const Index H = evidence_.model.heads;
    const Kind kind = evidence_.observations.front()->kind();
    if ((kind != Kind::bias && kind != Kind::slopes) || (H & (H - 1)) == 0) return std::nullopt;
    const host::Model kept = evidence_.model;
    Index more = 1;
    while (more < H) more *= 2;
    evidence_.model.heads = more;
    evidence_.model.model_width = kept.head_width() * more;
    auto found = search(true);
    evidence_.model = kept;
    if (!found) return std::nullopt;
    const data::Value* bias_max = found->fit.named.parameters.find("alibi_bias_max");
    if (!bias_max) return std::nullopt;
    const double asked = std::get<double>(*bias_max) * static_cast<double>(H) / static_cast<double>(more);
    if (std::abs(asked - 8) > 1e-4 * 8) return std::nullopt;
    data::Values named;
    for (const auto& [name, value] : found->fit.named.parameters)
      if (name != "alibi_bias_max") named.set(name, value);
    found->fit.named.parameters = named;
    return Explained{{Slip::Kind::plain_slopes}, std::move(*found)};
  }

  Evidence& evidence_;
  const Plugins& plugins_;
  std::vector<Standard> standards_;
  KnownVariants variants_;
};

}  // namespace

bool shows_no_positions(const Evidence& evidence) {
  return evidence.positions.extent(0) > 1 &&
         std::all_of(evidence.observations.begin(), evidence.observations.end(),
                     [](const auto& observation) { return observation->is_unchanged(); });
}

std::optional<Explained> explain(Evidence& evidence, const Plugins& plugins, KnownVariants known) {
  return Explanations(evidence, plugins, std::move(known)).first();
}
std::optional<Explained> explain_edges(Evidence& evidence, const Plugins& plugins, KnownVariants known) {
  return Explanations(evidence, plugins, std::move(known)).at_bucket_edges();
}

}  // namespace poslab::identify
