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

constexpr Index rows_of_a_beginning = 8;

Array<double> mapped(View<const double> positions, const std::function<double(double)>& map) {
  Array<double> out(positions.rank, positions.shape);
  for (Index i = 0; i < positions.size(); ++i) out.data()[i] = map(positions.data[i]);
  return out;
}

bool is_fixed(const Found& found) {
  return found.fit.inside && !found.free_list && found.weights != WeightsFrom::solved &&
         *found.fit.precision.format == '\0';
}

class Explanations {
 public:
  Explanations(Evidence& evidence, const Plugins& plugins, KnownVariants known)
      : evidence_(evidence), plugins_(plugins), standards_(standards_for(evidence)), variants_(std::move(known)) {}

  std::optional<Explained> first(bool with_edges) {
    const bool unchanged = std::any_of(evidence_.observations.begin(), evidence_.observations.end(),
                                       [](const auto& observation) { return observation->is_unchanged(); });
    if (unchanged && evidence_.positions.extent(0) > 1)
      return at_positions({Slip::Kind::not_at_all}, [](double) { return 0.0; });
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
        [&] { return plain_slopes(); },
        [&] { return with_edges ? at_bucket_edges() : std::nullopt; }};
    for (const Try& one : all)
      if (auto found = one()) return found;
    return std::nullopt;
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
      SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations, false);
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
    const bool by_position =
        std::all_of(evidence_.observations.begin(), evidence_.observations.end(), [](const auto& one) {
          return one->by_position() && one->kind() != Kind::bias && one->kind() != Kind::logits &&
                 one->kind() != Kind::outputs;
        });
    if (!by_position || N < 4 || evidence_.positions.extent(1) != 1) return std::nullopt;
    evidence_.max_rows = std::clamp<Index>(N / 4, 2, rows_of_a_beginning);
    auto found = search();
    evidence_.max_rows = std::numeric_limits<Index>::max();
    if (!found) return std::nullopt;
    const Fit whole = whole_fit(found->candidate, evidence_, standards_);
    if (!whole.departs || whole.departs->position < 1) return std::nullopt;
    const double n = evidence_.positions(whole.departs->position, 0), first = evidence_.positions(0, 0);
    struct Way {
      Slip slip;
      std::function<double(double)> map;
    };
    const std::vector<Way> ways{
        {{Slip::Kind::restarts, n}, [&](double p) { return first + std::fmod(p - first, n - first); }},
        {{Slip::Kind::cut, n - 1}, [&](double p) { return std::min(p, n - 1); }},
        {{Slip::Kind::joined, n}, [&](double p) { return p < n ? p : 0; }}};
    for (const Way& way : ways) {
      Array<double> kept = std::move(evidence_.positions);
      evidence_.positions = mapped(kept, way.map);
      found->fit = Fit{best_fit(found->candidate, evidence_, standards_)};
      found->fit.named = named_of(*found);
      evidence_.positions = std::move(kept);
      if (found->fit.inside && *found->fit.precision.format == '\0') return Explained{way.slip, std::move(*found)};
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

  std::optional<Explained> scaled() {
    const auto D = static_cast<double>(evidence_.model.model_width),
               K = static_cast<double>(evidence_.model.head_width());
    std::vector<double> factors{
        -1, 2, 0.5, std::sqrt(D), 1 / std::sqrt(D), std::sqrt(K), 1 / std::sqrt(K), std::log(2.0), 1 / std::log(2.0)};
    for (const double factor : factors) {
      const Slip slip{factor == -1 ? Slip::Kind::sign : Slip::Kind::scale, factor == -1 ? 0 : factor};
      const auto kept = evidence_.observations;
      if (kept.front()->kind() == Kind::logits || kept.front()->kind() == Kind::outputs) return std::nullopt;
      if (auto found = of_others(slip, [&](const Observation& one) -> std::shared_ptr<const Observation> {
            for (const auto& shared : kept)
              if (shared.get() == &one) return divided(shared, factor);
            return nullptr;
          }))
        return found;
    }
    return std::nullopt;
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

  std::optional<Explained> at_bucket_edges() {
    if (evidence_.observations.size() != 1 || evidence_.observations.front()->kind() != Kind::bias) return std::nullopt;
    std::optional<Explained> best;
    for (const auto& plugin : plugins_) {
      const Maker maker(plugin, evidence_);
      SchemeSearch scheme(maker, evidence_, standards_, variants(maker, *plugin), few_combinations);
      for (Found& found : scheme.take()) {
        if (found.weights != WeightsFrom::solved || found.surplus == 0) continue;
        const auto count = maker.offsets_beside(found.values);
        if (count && (!best || static_cast<double>(*count) < best->slip.amount))
          best = Explained{{Slip::Kind::bucket_edge, static_cast<double>(*count)}, std::move(found)};
      }
    }
    return best;
  }

  static Named named_of(const Found& found) {
    return {found.candidate.scheme->info().id,
            found.fit.named.parameters.empty() ? found.values : found.fit.named.parameters};
  }

  Evidence& evidence_;
  const Plugins& plugins_;
  const std::vector<Standard> standards_;
  KnownVariants variants_;
};

// By how much a variant stretches queries at position 0.
std::optional<double> magnitude_of(const Maker& maker, const data::Values& values) {
  const auto candidate = maker.candidate(values);
  if (!candidate || !candidate->scheme->has(host::Operation::transform)) return std::nullopt;
  const host::Model& model = candidate->scheme->model();
  Array<double> x{model.heads, 1, model.head_width()}, position{1, candidate->scheme->least_axes()};
  x(0, 0, 0) = 1;
  candidate->scheme->transform<double>({1, model.train_length, false}, host::Side::key, position, candidate->views(),
                                       x);
  return std::abs(x(0, 0, 0));
}

}  // namespace

std::optional<Explained> explain(Evidence& evidence, const Plugins& plugins, KnownVariants known, bool with_edges) {
  return Explanations(evidence, plugins, std::move(known)).first(with_edges);
}

std::optional<Slip> slip_within(const Found& found, const Evidence& evidence, const Maker& maker) {
  const data::Values& named = found.fit.named.parameters;
  if (const data::Value* factor = named.find("attention_factor")) {
    data::Values usual;
    for (const auto& [name, value] : found.values)
      if (name != "attention_factor") usual.set(name, value);
    if (const auto m = magnitude_of(maker, usual); m && *m > 1)
      for (const double power : {0.0, 2.0, 0.5})
        if (std::abs(std::get<double>(*factor) - std::pow(*m, power)) < 1e-4) return Slip{Slip::Kind::magnitude, power};
  }
  if (const data::Value* start = named.find("start_index"))
    if (std::abs(std::get<double>(*start)) == 1) return Slip{Slip::Kind::off_by_one, std::get<double>(*start)};
  const data::Value* base = named.find("base");
  if (!base || !std::holds_alternative<double>(*base)) return std::nullopt;
  const data::Quantity& quantity = *maker.info().parameter("base");
  const std::vector<data::Value> in_use = values_in_use(quantity, evidence);
  const double b = std::get<double>(*base);
  if (std::find(in_use.begin(), in_use.end(), data::Value(b)) != in_use.end() && b >= 1e4) return std::nullopt;
  for (const double width : {2.0, 4.0, 0.5, 0.25, 8.0, 4.0 / 3, 3.0 / 2, 2.5})
    for (const data::Value& value : in_use)
      if (const double other = std::get<double>(value); other >= 1e4 && std::abs(std::pow(b, width) / other - 1) < 1e-3)
        return Slip{Slip::Kind::wrong_width, width};
  return std::nullopt;
}

}  // namespace poslab::identify
