// SPDX-License-Identifier: Apache-2.0
// Numbers in use, put together: which combinations of a variant come nearest to a dump.
#pragma once

#include <limits>
#include <vector>

#include "compare/compare.hpp"
#include "search/variants.hpp"

namespace poslab::identify {

/// Mean square of the differences to a dump that has but its own rounding.
inline constexpr double exact_distance = 1e-10;

struct Tried {
  data::Values values;
  double distance = std::numeric_limits<double>::infinity();
};

enum class Looks {
  for_nearest,  ///< however far that is
  for_a_fit     ///< and leaves out what is too far to be one, in any precision
};

/// The best few, nearest first. All combinations where there are up to `most`, else one number after another. `tried`
/// counts them.
std::vector<Tried> nearest_in_use(const Maker& maker, const Evidence& evidence, const Variant& variant,
                                  std::size_t most, Looks looks, std::size_t& tried);

/// Whether the dump is another where no number of the variant changes anything, as far as numbers in use show: at the
/// first positions, by more than 16 bits could make.
bool is_refuted(const Maker& maker, const Evidence& evidence, const Variant& variant);

}  // namespace poslab::identify
