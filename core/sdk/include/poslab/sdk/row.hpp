// SPDX-License-Identifier: Apache-2.0
// One row of an array: a std::span whose indices are looked at, unless the scheme is built for speed (bounds.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "poslab/sdk/bounds.hpp"

namespace poslab {

/// `row[c]`, `row.size()`; `row.first(n)`, `row.last(n)` and `row.subspan(from, n)` are rows again.
template <class S>
class Row : public std::span<S> {
  using Span = std::span<S>;

 public:
  using Span::Span;
  constexpr Row(Span all) : Span(all) {}

  constexpr S& operator[](std::size_t i) const {
    require_entry(i);
    return Span::operator[](i);
  }
  constexpr S& front() const { return (*this)[0]; }
  constexpr S& back() const { return (*this)[this->size() - 1]; }

  constexpr Row first(std::size_t count) const { return subspan(0, count); }
  constexpr Row last(std::size_t count) const { return subspan(this->size() - count, count); }
  constexpr Row subspan(std::size_t from) const { return subspan(from, this->size() - from); }
  constexpr Row subspan(std::size_t from, std::size_t count) const {
    if (from > this->size()) require_entry(from);
    if (count > this->size() - from) require_entry(from + count - 1);
    return Row(Span::subspan(from, count));
  }

 private:
  constexpr void require_entry(std::size_t i) const {
    sdk::require_below(static_cast<std::int64_t>(i), static_cast<std::int64_t>(this->size()), "entry of a row");
  }
};

}  // namespace poslab
