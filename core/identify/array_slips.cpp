// SPDX-License-Identifier: Apache-2.0
// Arrays that were exchanged, heads that are elsewhere, and one array of two that is off.
// Dimension letters: H heads.
#include <algorithm>
#include <limits>
#include <numeric>

#include "poslab/base/error.hpp"
#include "slip_search.hpp"

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

}  // namespace

std::vector<SlipRow> exchange_slips() {
  return {
      slip_in_arrays({Slip::Kind::transposed}, [](const auto& array) { return array->transposed(); }),
      slip_in_arrays({Slip::Kind::sides_exchanged}, [](const auto& array) { return array->with_sides_exchanged(); }),
      slip_in_arrays({Slip::Kind::layout_exchanged}, [](const auto& array) { return array->with_layout_exchanged(); })};
}

std::vector<SlipRow> single_array_slips(std::size_t array) {
  const auto elsewhere = [&](const Slip& slip, PositionMap map) {
    return slip_in_array(array, slip, [map](const auto& one) { return at_other_positions(one, map); });
  };
  return {
      elsewhere({Slip::Kind::off_by_one, 1}, [](double p) { return p + 1; }),
      elsewhere({Slip::Kind::off_by_one, -1}, [](double p) { return p - 1; }),
      elsewhere({Slip::Kind::twice, 2}, [](double p) { return 2 * p; }),
      elsewhere({Slip::Kind::sign}, [](double p) { return -p; }),
      slip_in_array(array, {Slip::Kind::twice, 2}, [](const auto& one) { return one->applied_twice(); }),
      slip_in_array(array, {Slip::Kind::sides_exchanged}, [](const auto& one) { return one->with_sides_exchanged(); }),
      slip_in_array(array, {Slip::Kind::layout_exchanged},
                    [](const auto& one) { return one->with_layout_exchanged(); })};
}

std::vector<SlipRow> SlipSearch::head_order_slips() {
  std::vector<SlipRow> rows;
  if (evidence_.observations.size() != 1) return rows;
  const Kind kind = evidence_.observations.front()->kind();
  if (kind != Kind::bias && kind != Kind::slopes) return rows;
  std::vector<Index> as_it_is(static_cast<std::size_t>(evidence_.model.heads));
  std::iota(as_it_is.begin(), as_it_is.end(), 0);
  std::vector<std::vector<Index>> orders{as_it_is};
  for_usual_variants([&](const Candidate& candidate) {
    std::vector<Index> order = order_of_heads(candidate, evidence_);
    if (order.empty() || std::find(orders.begin(), orders.end(), order) != orders.end()) return;
    rows.push_back(
        slip_in_arrays({Slip::Kind::heads_exchanged}, [order](const auto& array) { return array->with_heads(order); }));
    orders.push_back(std::move(order));
  });
  return rows;
}

std::optional<Explained> SlipSearch::one_array_alone() {
  const auto& arrays = evidence_.observations;
  if (arrays.size() != 2) return std::nullopt;
  for (std::size_t right = 0; right < 2; ++right) {
    Evidence alone = evidence_.copy();
    alone.observations = {arrays[right]};
    auto found = search(alone);
    if (!found) continue;
    const std::string name = arrays[1 - right]->caption().name;
    if (arrays[1 - right]->is_unchanged()) return Explained{{Slip::Kind::not_at_all, 0, name}, std::move(found)};
    for (SlipRow& row : single_array_slips(1 - right)) {
      const auto corrected = row.corrected(evidence_);
      if (!corrected) continue;
      const Fit fit = fit_to(*corrected, *found);
      if (!fit.inside) continue;
      found->fit = fit;
      row.slip.array = name;
      return Explained{row.slip, std::move(found)};
    }
  }
  return std::nullopt;
}

}  // namespace poslab::identify
