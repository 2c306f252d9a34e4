// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "poslab/numerics/distinct.hpp"

namespace poslab::experiments::precision {

Table table(std::span<const double> positions, std::span<const double> frequencies, const Rounding& keep) {
  const auto N = static_cast<Index>(positions.size()), J = static_cast<Index>(frequencies.size());
  std::vector<double> kept_frequencies(frequencies.begin(), frequencies.end());
  for (double& frequency : kept_frequencies) frequency = keep(Stage::frequency, frequency);
  Table out{Array<double>{N, J}, Array<double>{N, J}};
  for (Index n = 0; n < N; ++n) {
    const double position = keep(Stage::position, positions[static_cast<std::size_t>(n)]);
    for (Index j = 0; j < J; ++j) {
      const double angle = keep(Stage::angle, position * kept_frequencies[static_cast<std::size_t>(j)]);
      out.cosine(n, j) = keep(Stage::table, std::cos(angle));
      out.sine(n, j) = keep(Stage::table, std::sin(angle));
    }
  }
  return out;
}

TableError table_error(const Table& exact, const Table& kept) {
  TableError error;
  for (Index n = 0; n < exact.cosine.extent(0); ++n)
    for (Index j = 0; j < exact.cosine.extent(1); ++j) {
      const double cosine = std::abs(kept.cosine(n, j) - exact.cosine(n, j)),
                   sine = std::abs(kept.sine(n, j) - exact.sine(n, j));
      if (std::isnan(cosine)) return {cosine, cosine, n, j};
      if (cosine > error.largest_of_cosines) error.largest_of_cosines = cosine, error.row = n, error.plane = j;
      error.largest = std::max({error.largest, cosine, sine});
    }
  return error;
}

double distinct_codes(const Table& table) {
  const Index N = table.cosine.extent(0), J = table.cosine.extent(1);
  const auto is_none = [](double x) { return std::isnan(x); };
  const auto cosines = table.cosine.flat();
  if (std::any_of(cosines.begin(), cosines.end(), is_none)) return std::numeric_limits<double>::quiet_NaN();
  Array<double> rows{N, 2 * J};
  for (Index n = 0; n < N; ++n)
    for (Index j = 0; j < J; ++j) {
      rows(n, 2 * j) = table.cosine(n, j);
      rows(n, 2 * j + 1) = table.sine(n, j);
    }
  return static_cast<double>(numerics::distinct_rows<double>(rows));
}

double distinct_positions(std::span<const double> positions, const numerics::Format& format) {
  std::set<double> different;
  for (const double position : positions) different.insert(numerics::rounded(position, format));
  const bool all_are_numbers =
      different.empty() || (std::isfinite(*different.begin()) && std::isfinite(*different.rbegin()));
  return all_are_numbers ? static_cast<double>(different.size()) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace poslab::experiments::precision
