// SPDX-License-Identifier: Apache-2.0
// Factors that should not be there, and slopes that go on as they should not.
#include <algorithm>
#include <cmath>

#include "poslab/base/error.hpp"
#include "slip_search.hpp"

namespace poslab::identify {
namespace {

constexpr Index rows_of_a_ratio = 8;

// The factor that the dump is of what a variant makes, if it is one.
std::optional<double> ratio_to(const Candidate& candidate, const Evidence& evidence) {
  constexpr double same_shape = 1e-6;  // what may be left, of the mean square
  const Setting setting = setting_of(evidence, evidence.positions);
  double seen_shown = 0, shown_shown = 0, seen_seen = 0;
  try {
    for (const auto& observation : evidence.observations) {
      const Index rows = std::min(observation->rows(), rows_of_a_ratio), columns = observation->columns();
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

}  // namespace

std::vector<SlipRow> SlipSearch::factor_slips() {
  std::vector<SlipRow> rows;
  for (const auto& array : evidence_.observations)
    if (array->kind() == Kind::logits || array->kind() == Kind::outputs || array->kind() == Kind::rotated) return rows;
  std::vector<double> factors{1};
  for_usual_variants([&](const Candidate& candidate) {
    const auto ratio = ratio_to(candidate, evidence_);
    if (!ratio) return;
    const double factor = usual_factor_near(*ratio);
    if (std::find(factors.begin(), factors.end(), factor) != factors.end()) return;
    factors.push_back(factor);
    const Slip slip{factor == -1  ? Slip::Kind::sign
                    : factor == 2 ? Slip::Kind::twice
                                  : Slip::Kind::scale,
                    factor == -1 ? 0 : factor};
    rows.push_back(slip_in_arrays(slip, [factor](const auto& array) { return divided(array, factor); }));
  });
  return rows;
}

std::optional<Explained> SlipSearch::plain_slopes() {
  const Index H = evidence_.model.heads;
  const Kind kind = evidence_.observations.front()->kind();
  if ((kind != Kind::bias && kind != Kind::slopes) || (H & (H - 1)) == 0) return std::nullopt;
  Index more = 1;
  while (more < H) more *= 2;
  Evidence wider = evidence_.copy();
  wider.model.heads = more;
  wider.model.model_width = evidence_.model.head_width() * more;
  auto found = search(wider, Looks::for_nearest);
  if (!found) return std::nullopt;
  // The usual slopes were made for these heads: a parameter that is its default for them, and another for more.
  const data::SchemeInfo& scheme = found->candidate.scheme->info();
  for (const auto& [name, value] : found->fit.named.parameters) {
    const double* const number = std::get_if<double>(&value);
    const double* const usual = std::get_if<double>(&scheme.parameter(name)->default_value);
    if (!number || !usual) continue;
    const double asked = *number * static_cast<double>(H) / static_cast<double>(more);
    if (std::abs(asked - *usual) > 1e-4 * std::abs(*usual)) continue;
    found->fit.named.parameters.erase(std::string(name));
    return Explained{{Slip::Kind::plain_slopes}, std::move(*found)};
  }
  return std::nullopt;
}

}  // namespace poslab::identify
