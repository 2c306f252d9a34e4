// SPDX-License-Identifier: Apache-2.0
// Sines and cosines of positions as a program makes them that keeps some of its numbers in 16 bits.
// Dimension letters: N positions, J planes.
#pragma once

#include <array>
#include <span>

#include "poslab/base/array.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::experiments::precision {

using base::Array;
using base::Index;
using base::View;

/// What is rounded: one stage alone, or each of them, one after the other.
enum class Stage { all, frequency, position, angle, table, product };
inline constexpr std::array all_stages{Stage::all,   Stage::frequency, Stage::position,
                                       Stage::angle, Stage::table,     Stage::product};

/// The numbers of a stage as they are kept: in the format where the stage is rounded, else as they are.
class Rounding {
 public:
  Rounding() = default;  ///< rounds nothing
  Rounding(Stage rounded, const numerics::Format& format) : rounded_(rounded), format_(&format) {}
  double operator()(Stage stage, double x) const {
    return format_ && (rounded_ == Stage::all || rounded_ == stage) ? numerics::rounded(x, *format_) : x;
  }

 private:
  Stage rounded_ = Stage::all;
  const numerics::Format* format_ = nullptr;
};

struct Table {
  Array<double> cosine, sine;  ///< [N, J]; NaN where a position or an angle is beyond the format's largest number
};

/// cos and sin of p w for positions [N] and frequencies [J].
Table table(std::span<const double> positions, std::span<const double> frequencies, const Rounding& keep);

/// How far a table is from the exact one.
struct TableError {
  double largest_of_cosines = 0, largest = 0;  ///< the second of sines, too; NaN where some entry is
  Index row = 0, plane = 0;                    ///< of the largest of cosines, the first of equals
};
TableError table_error(const Table& exact, const Table& kept);

/// How many rows of cosines and sines differ.
double distinct_codes(const Table& table);
/// How many positions differ when they are rounded; NaN where one is beyond the format's largest number.
double distinct_positions(std::span<const double> positions, const numerics::Format& format);

}  // namespace poslab::experiments::precision
