// SPDX-License-Identifier: Apache-2.0
#include "folds.hpp"

#include <algorithm>
#include <array>

namespace poslab::experiments::decodability {
namespace {

std::vector<Fold> folds_of(std::span<const Index> fold_of_row, Index folds) {
  std::vector<Fold> all(static_cast<std::size_t>(folds));
  for (std::size_t row = 0; row < fold_of_row.size(); ++row)
    for (Index fold = 0; fold < folds; ++fold) {
      Fold& here = all[static_cast<std::size_t>(fold)];
      (fold == fold_of_row[row] ? here.held_out : here.fitted).push_back(static_cast<Index>(row));
    }
  return all;
}

}  // namespace

std::vector<Fold> contiguous_folds(Index rows, Index folds) {
  std::vector<Index> fold_of_row;
  for (Index fold = 0; fold < folds; ++fold)
    fold_of_row.insert(fold_of_row.end(), static_cast<std::size_t>(rows / folds + (fold < rows % folds)), fold);
  return folds_of(fold_of_row, folds);
}

std::vector<Fold> stratified_folds(std::span<const std::uint8_t> labels, Index folds) {
  const auto P = static_cast<Index>(labels.size());
  const std::uint8_t first = P > 0 ? labels[0] : 0;
  const auto of_first = static_cast<Index>(std::count(labels.begin(), labels.end(), first));
  // All rows in order of class, that of the first row before the other, are dealt to the folds like cards: that says
  // how many of each class a fold has.
  std::array<std::vector<Index>, 2> turns;  // for each class the folds of its rows, in order
  for (Index fold = 0; fold < folds; ++fold)
    for (Index card = fold; card < P; card += folds) turns[card < of_first ? 0 : 1].push_back(fold);
  std::array<std::size_t, 2> next{};
  std::vector<Index> fold_of_row;
  for (const std::uint8_t label : labels) {
    const std::size_t kind = label == first ? 0 : 1;
    fold_of_row.push_back(turns[kind][next[kind]++]);
  }
  return folds_of(fold_of_row, folds);
}

}  // namespace poslab::experiments::decodability
