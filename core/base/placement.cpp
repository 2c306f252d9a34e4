// SPDX-License-Identifier: Apache-2.0
// Positions of each policy.
#include "poslab/base/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "poslab/base/error.hpp"
#include "poslab/base/value.hpp"

namespace poslab::base {
namespace {

// N of 0 .. range - 1, every subset as likely as any other (Floyd's algorithm: Bentley 1987), in rising order.
std::set<Index> drawn(Index N, Index range, const Stream& stream) {
  std::set<Index> chosen;
  for (Index last = range - N; last < range; ++last) {
    const auto number = static_cast<std::uint64_t>(last - (range - N));
    const auto pick = static_cast<Index>(stream.below(number, static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(pick).second) chosen.insert(last);
  }
  return chosen;
}

Array<double> cells_of(const std::vector<std::int64_t>& extents, Index N) {
  const auto A = static_cast<Index>(extents.size());
  Array<double> positions{N, A};
  for (Index n = 0; n < N; ++n) {
    Index rest = n;
    for (Index axis = A - 1; axis >= 0; --axis) {
      const Index extent = extents[static_cast<std::size_t>(axis)];
      positions(n, axis) = static_cast<double>(rest % extent);
      rest /= extent;
    }
  }
  return positions;
}

}  // namespace

std::optional<Index> Placement::count() const {
  if (policy == Policy::at) return static_cast<Index>(values.size());
  if (!is_grid()) return std::nullopt;
  Index cells = 1;
  for (const std::int64_t extent : extents) cells *= extent;
  return cells;
}

Array<double> Placement::positions(Index N, const Draws& draws) const {
  if (count() && *count() != N)
    throw Error(fmt::format("positions = {} are {} positions, not {}", text(), *count(), N));
  if (is_grid()) return cells_of(extents, N);
  Array<double> positions{N, 1};
  if (policy == Policy::randomised) {
    if (N > range) throw Refused(fmt::format("positions = {} cannot be {} different numbers", text(), N));
    Index n = 0;
    for (const Index position : drawn(N, range, draws.contents("positions", {range, N})))
      positions(n++, 0) = static_cast<double>(position);
    return positions;
  }
  for (Index n = 0; n < N; ++n)
    positions(n, 0) = policy == Policy::at ? values[static_cast<std::size_t>(n)] : static_cast<double>(by + n);
  return positions;
}

double Placement::lowest() const {
  if (policy == Policy::at) return values.front();
  return static_cast<double>(by);  // 0 but for the shifted ones
}

double Placement::highest(Index N) const {
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

}  // namespace poslab::base
