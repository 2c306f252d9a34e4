// SPDX-License-Identifier: Apache-2.0
// The rows of a relative table that occur in a tile, each once, and which of them every pair has.
// Dimension letters: Nq queries, Nk keys.
#pragma once

#include <vector>

#include <poslab/scheme.hpp>

namespace poslab {

class Places {
 public:
  /// row_of(behind), with behind = query - key, is one of `table_rows` rows.
  template <class RowOf>
  Places(const Points& queries, const Points& keys, Index table_rows, RowOf row_of) : Nk_(keys.size()) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place_of(static_cast<std::size_t>(table_rows), none);
    for (Index i = 0; i < queries.size(); ++i)
      for (Index j = 0; j < Nk_; ++j) {
        const Index row = row_of(queries[i] - keys[j]);
        std::size_t& place = place_of[static_cast<std::size_t>(row)];
        if (place == none) {
          place = rows.size();
          rows.push_back(row);
        }
        place_.push_back(place);
      }
  }
  /// Where in `rows` the row of a pair stands.
  std::size_t operator()(Index i, Index j) const { return place_[static_cast<std::size_t>(i * Nk_ + j)]; }

  std::vector<Index> rows;

 private:
  std::vector<std::size_t> place_;  // [Nq, Nk]
  Index Nk_;
};

}  // namespace poslab
