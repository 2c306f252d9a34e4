// SPDX-License-Identifier: Apache-2.0
// Positions of each policy.
#include "poslab/data/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "poslab/base/subset.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/data/refusal.hpp"
#include "poslab/data/value.hpp"

namespace poslab::data {
namespace {

base::Array<double> cells_of(const std::vector<std::int64_t>& extents, base::Index N) {
  const auto A = static_cast<base::Index>(extents.size());
  base::Array<double> positions{N, A};
  for (base::Index n = 0; n < N; ++n) {
    base::Index rest = n;
    for (base::Index axis = A - 1; axis >= 0; --axis) {
      const base::Index extent = extents[static_cast<std::size_t>(axis)];
      positions(n, axis) = static_cast<double>(rest % extent);
      rest /= extent;
    }
  }
  return positions;
}

}  // namespace

std::optional<base::Index> Placement::count() const {
  if (policy == Policy::at) return static_cast<base::Index>(values.size());
  if (!is_grid()) return std::nullopt;
  base::Index cells = 1;
  for (const std::int64_t extent : extents) cells *= extent;
  return cells;
}

base::Array<double> Placement::positions(base::Index N, const Draws& draws) const {
  if (count() && *count() != N)
    throw base::Error(fmt::format("positions = {} are {} positions, not {}", text(), *count(), N));
  if (is_grid()) return cells_of(extents, N);
  base::Array<double> positions{N, 1};
  if (policy == Policy::randomised) {
    if (N > range) throw Refused(fmt::format("positions = {} cannot be {} different numbers", text(), N));
    base::Index n = 0;
    for (const base::Index position : base::drawn_subset(draws.contents("positions", {range, N}), N, range))
      positions(n++, 0) = static_cast<double>(position);
    return positions;
  }
  for (base::Index n = 0; n < N; ++n)
    positions(n, 0) = policy == Policy::at ? values[static_cast<std::size_t>(n)] : static_cast<double>(by + n);
  return positions;
}

double Placement::lowest() const {
  if (policy == Policy::at) return values.front();
  return static_cast<double>(by);  // 0 but for the shifted ones
}

double Placement::highest(base::Index N) const {
  switch (policy) {
    case Policy::at: return values.back();
    case Policy::randomised: return static_cast<double>(range - 1);
    case Policy::grid: return static_cast<double>(*std::max_element(extents.begin(), extents.end()) - 1);
    default: return static_cast<double>(by + N - 1);
  }
}

std::vector<std::string> Placement::axis_names() const {
  if (!is_grid()) return {};
  std::vector<std::string> names{"frame", "row", "column"};
  return {names.end() - axes(), names.end()};
}

std::string Placement::text() const {
  const auto list = [](const auto& numbers) {
    std::string out;
    for (const auto x : numbers) out += (out.empty() ? "" : ", ") + to_text(Value(x));
    return out;
  };
  switch (policy) {
    case Policy::shifted: return fmt::format("{{ policy = \"shifted\", by = {} }}", by);
    case Policy::randomised: return fmt::format("{{ policy = \"randomised\", range = {} }}", range);
    case Policy::grid: return fmt::format("{{ grid = [{}] }}", list(extents));
    case Policy::at: return fmt::format("{{ at = [{}] }}", list(values));
    case Policy::plain: break;
  }
  return "{ policy = \"plain\" }";
}

}  // namespace poslab::data
