// SPDX-License-Identifier: Apache-2.0
// The rows of a relative table that occur in a tile, each once, and which of them every pair has.
// Dimension letters: Nq queries, Nk keys.
#pragma once

#include <vector>

#include <poslab/scheme.hpp>

namespace poslab {

class OccurringRows {
 public:
  /// row_of(behind), with behind = query - key, is one of `table_rows` rows.
  template <class RowOf>
  OccurringRows(const Points& queries, const Points& keys, Index table_rows, RowOf row_of) : Nk_(keys.size()) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> number_of(static_cast<std::size_t>(table_rows), none);
    for (Index i = 0; i < queries.size(); ++i)
      for (Index j = 0; j < Nk_; ++j) {
        const Index row = row_of(queries[i] - keys[j]);
        std::size_t& number = number_of[static_cast<std::size_t>(row)];
        if (number == none) {
          number = rows.size();
          rows.push_back(row);
        }
        numbers_.push_back(number);
      }
  }
  /// Where in `rows` the row of a pair stands.
  std::size_t operator()(Index i, Index j) const { return numbers_[static_cast<std::size_t>(i * Nk_ + j)]; }

  std::vector<Index> rows;

 private:
  std::vector<std::size_t> numbers_;  // [Nq, Nk]
  Index Nk_;
};

}  // namespace poslab
