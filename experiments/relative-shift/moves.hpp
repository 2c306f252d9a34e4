// SPDX-License-Identifier: Apache-2.0
// Tokens that are moved together.
// Dimension letters: M positions, A axes of a position.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::experiments::relative_shift {

/// Every move of `tokens` [M, A] by `shift`: along each axis alone, and along all at once. One axis has one move.
std::vector<base::Array<double>> moves(base::View<const double> tokens, double shift);

/// The same, but none if the scheme does not serve all of these positions.
std::vector<base::Array<double>> served_moves(const host::Scheme& scheme, base::View<const double> tokens,
                                              double shift);

}  // namespace poslab::experiments::relative_shift
