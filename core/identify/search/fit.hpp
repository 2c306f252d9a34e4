// SPDX-License-Identifier: Apache-2.0
// The numbers of a variant that make it fit a dump: those in use first, then any.
#pragma once

#include <vector>

#include "compare/compare.hpp"
#include "search/variants.hpp"

namespace poslab::identify {

struct Found {
  Fit fit;  ///< named with the parameters that matter alone
  Candidate candidate;
  data::Values values;  ///< as it was made
  WeightsFrom weights = WeightsFrom::nothing;
  Index surplus = 0;       ///< with solved weights: numbers that they do not explain by themselves
  bool free_list = false;  ///< one number a plane was free: any frequencies fit
  double length = 0;       ///< how much there is to say of it
  double distance = 0;
  std::vector<std::string> silent;  ///< parameters whose other values show the same
};

struct Effort {
  bool any_numbers = true;       ///< beyond those in use
  std::size_t most_grid = 4000;  ///< combinations of numbers in use
};

/// What fits best of a scheme, one for each of its variants that comes near; those inside first, then by distance.
std::vector<Found> fits_of(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
                           const Effort& effort, std::size_t& tried);

}  // namespace poslab::identify
