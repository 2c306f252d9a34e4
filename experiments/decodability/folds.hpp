// SPDX-License-Identifier: Apache-2.0
// Cross-validation: which rows are held out together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments::decodability {

using base::Index;

struct Fold {
  std::vector<Index> fitted, held_out;  ///< numbers of rows, rising
};

/// Blocks of rows that follow each other, as scikit-learn's KFold: the first rows % folds blocks have one row more than
/// the others. 1 <= folds <= rows.
std::vector<Fold> contiguous_folds(Index rows, Index folds);

/// As many of each class in each fold as can be, as scikit-learn's StratifiedKFold without shuffling: the rows of a
/// class fill the folds in their order. Labels 0 or 1.
std::vector<Fold> stratified_folds(std::span<const std::uint8_t> labels, Index folds);

}  // namespace poslab::experiments::decodability
