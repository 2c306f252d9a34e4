// SPDX-License-Identifier: Apache-2.0
// Logits of contents at some positions, made with a table of sines and cosines.
// Dimension letters: M positions of a window, W channels, J planes.
#pragma once

#include "tables.hpp"

namespace poslab::experiments::precision {

/// What the scheme does with its table: rotates channels 2j, 2j + 1 of q and k, or adds sine and cosine to them.
enum class Use { rotate, add };

/// Logits [M, M] of queries and keys [M, W] over sqrt(W), each at its own row of the table. In the stage `product` the
/// rotated or coded queries and keys are rounded, and the logits; sums are in double.
Array<double> window_logits(View<const double> query, View<const double> key, const Table& table, Use use,
                            const Rounding& keep);

}  // namespace poslab::experiments::precision
