// SPDX-License-Identifier: Apache-2.0
// The numbers of a variant that make it fit a dump: those in use first, then any.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "compare/compare.hpp"
#include "search/grid.hpp"
#include "search/numbers.hpp"
#include "search/variants.hpp"

namespace poslab::identify {

struct Found {
  Fit fit;  ///< named with the parameters that matter alone
  Candidate candidate;
  data::Values values;  ///< as it was made
  WeightsFrom weights = WeightsFrom::nothing;
  Solved solved;           ///< with solved weights: of what
  bool free_list = false;  ///< one number a plane was free: any frequencies fit
  Length length;           ///< how much there is to say of it
  bool by_length = false;  ///< other lengths of the context make it something else, and its scheme's default nothing
  double distance = 0;
  std::vector<std::string> silent;  ///< parameters whose other values show the same
};

/// The better of two that fit: what is said shorter, then what is nearer.
bool is_plainer(const Found& a, const Found& b);

inline constexpr std::size_t few_combinations = 100;

/// The variants of a scheme, each with the numbers in use that come nearest.
class SchemeSearch {
 public:
  /// Tries the numbers in use, up to `max_combinations` of them for each variant, on several threads.
  SchemeSearch(const Maker& maker, const Evidence& evidence, const std::vector<Standard>& standards,
               const std::vector<Variant>& variants, std::size_t max_combinations, Looks looks);
  ~SchemeSearch();
  SchemeSearch(SchemeSearch&&) noexcept;

  /// Those that do not fit so are given any numbers.
  void try_any_numbers();
  /// Those that fit of each variant, or the nearest.
  std::vector<Found> take();
  bool any_inside() const;
  /// The numbers of one that fits, with weights that are not free and in no less than float32.
  std::optional<data::Values> numbers_that_fit() const;
  std::size_t tried() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace poslab::identify
