// SPDX-License-Identifier: Apache-2.0
// Heads that are elsewhere, and one array of several that is off.
// Dimension letters: H heads.
#include <algorithm>
#include <limits>
#include <numeric>

#include "explanations.hpp"
#include "poslab/base/error.hpp"

namespace poslab::identify {
namespace {

constexpr double near_enough = 1e-4;  // mean square of what is left, of that of the numbers

// For each head of a candidate the head of the dump that is nearest in the last row, which sees the farthest offsets;
// empty where that is not near, or two heads have the same.
std::vector<Index> order_of_heads(const Candidate& candidate, const Evidence& evidence) {
  const Observation& observation = *evidence.observations.front();
  const Index H = evidence.model.heads, last = observation.rows() - 1, width = observation.columns() / H;
  std::vector<double> shown(static_cast<std::size_t>(observation.columns()));
  try {
    observation.predict(candidate, setting_of(evidence, evidence.positions), last, 1, shown);
  } catch (const base::Error&) {
    return {};
  }
  std::vector<Index> order;
  double left = 0, all = 0;
  for (const double x : shown) all += x * x;
  for (Index h = 0; h < H; ++h) {
    double least = std::numeric_limits<double>::infinity();
    Index nearest = 0;
    for (Index other = 0; other < H; ++other) {
      double off = 0;
      for (Index j = 0; j < width; ++j) {
        const double seen = observation.number(last, other * width + j);
        const double difference = seen - shown[static_cast<std::size_t>(h * width + j)];
        if (!std::isnan(seen)) off += difference * difference;
      }
      if (off < least) least = off, nearest = other;
    }
    if (std::find(order.begin(), order.end(), nearest) != order.end()) return {};
    order.push_back(nearest), left += least;
  }
  return left <= near_enough * all ? order : std::vector<Index>();
}

struct Change {
  Slip slip;
  std::function<std::shared_ptr<const Observation>(const std::shared_ptr<const Observation>&)> make;
};

std::vector<Change> changes_of_one() {
  std::vector<Change> all;
  const auto at = [&](const Slip& slip, std::function<double(double)> map) {
    all.push_back({slip, [map](const auto& one) { return at_other_positions(one, map); }});
  };
  at({Slip::Kind::off_by_one, 1}, [](double p) { return p + 1; });
  at({Slip::Kind::off_by_one, -1}, [](double p) { return p - 1; });
  at({Slip::Kind::twice, 2}, [](double p) { return 2 * p; });
  at({Slip::Kind::sign}, [](double p) { return -p; });
  all.push_back({{Slip::Kind::twice, 2}, [](const auto& one) { return one->applied_twice(); }});
  all.push_back({{Slip::Kind::sides_exchanged}, [](const auto& one) { return one->with_sides_exchanged(); }});
  all.push_back({{Slip::Kind::layout_exchanged}, [](const auto& one) { return one->with_layout_exchanged(); }});
  return all;
}

}  // namespace

std::optional<Explained> Explanations::with_heads_exchanged() {
  if (evidence_.observations.size() != 1) return std::nullopt;
  for (const std::vector<Index>& order : orders_of_usual_variants())
    if (auto found =
            of_others({Slip::Kind::heads_exchanged}, [&](const Observation& one) { return one.with_heads(order); }))
      return found;
  return std::nullopt;
}

std::vector<std::vector<Index>> Explanations::orders_of_usual_variants() {
  const Kind kind = evidence_.observations.front()->kind();
  std::vector<std::vector<Index>> orders;
  if (kind != Kind::bias && kind != Kind::slopes) return orders;
  std::vector<Index> as_it_is(static_cast<std::size_t>(evidence_.model.heads));
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  for (const auto& plugin : plugins_) {
    Maker maker(plugin, evidence_);
    maker.leave_out_solved();
    for (const Variant& variant : variants(maker, *plugin)) {
      const auto candidate = maker.candidate(variant.choices);
      if (!candidate) continue;
      std::vector<Index> order = order_of_heads(*candidate, evidence_);
      if (!order.empty() && order != as_it_is && std::find(orders.begin(), orders.end(), order) == orders.end())
        orders.push_back(std::move(order));
    }
  }
  return orders;
}

std::optional<Explained> Explanations::of_one_alone() {
  const auto kept = evidence_.observations;
  if (kept.size() != 2) return std::nullopt;
  std::optional<Explained> explained;
  for (std::size_t right = 0; right < 2 && !explained; ++right) {
    evidence_.observations = {kept[right]};
    auto found = search();
    evidence_.observations = kept;
    if (found) explained = of_the_other(std::move(*found), 1 - right);
  }
  return explained;
}

std::optional<Explained> Explanations::of_the_other(Found found, std::size_t other) {
  const auto kept = evidence_.observations[other];
  if (kept->is_unchanged()) return Explained{{Slip::Kind::not_at_all, 0, kept->caption().name}, std::move(found)};
  const Named named = found.fit.named;
  for (Change& change : changes_of_one()) {
    const auto changed = change.make(kept);
    if (!changed) continue;
    evidence_.observations[other] = changed;
    found.fit = best_fit(found.candidate, evidence_, standards_);
    evidence_.observations[other] = kept;
    found.fit.named = named;
    change.slip.array = kept->caption().name;
    if (found.fit.inside) return Explained{change.slip, std::move(found)};
  }
  return std::nullopt;
}

}  // namespace poslab::identify
