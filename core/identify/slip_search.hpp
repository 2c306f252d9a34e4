// SPDX-License-Identifier: Apache-2.0
// The search for a slip. Each slip is a row: what it is, and the evidence without it, in which some variant must fit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "observation.hpp"
#include "slips.hpp"

namespace poslab::identify {

struct SlipRow {
  Slip slip;
  /// A copy of the evidence without the slip; none where the slip means nothing for its arrays. The copy refers to
  /// arrays of the evidence, which must outlive it.
  std::function<std::optional<Evidence>(const Evidence&)> corrected;
};

using PositionMap = std::function<double(double)>;
/// Null where it means nothing for that kind of array.
using ArrayChange = std::function<std::shared_ptr<const Observation>(const std::shared_ptr<const Observation>&)>;

/// All positions are what `map` makes of them.
SlipRow slip_in_positions(const Slip& slip, PositionMap map);
/// Every array is changed for which the slip means something.
SlipRow slip_in_arrays(const Slip& slip, ArrayChange change);
/// One of them alone.
SlipRow slip_in_array(std::size_t array, Slip slip, ArrayChange change);

/// Slips of positions, the commonest first.
std::vector<SlipRow> position_slips();
/// What was exchanged for what.
std::vector<SlipRow> exchange_slips();
/// From the token of index `end` on, positions are other than they should be.
std::vector<SlipRow> ending_slips(View<const double> positions, Index end);
/// Slips of one array of two.
std::vector<SlipRow> single_array_slips(std::size_t array);

class SlipSearch {
 public:
  SlipSearch(const Evidence& evidence, const Plugins& plugins, KnownVariants variants);

  /// The first slip without which some variant with few numbers fits everywhere.
  std::optional<Explained> first();
  /// The same of slips at the edges of buckets, whose weights are free.
  std::optional<Explained> at_bucket_edges();
  /// The same of positions that end, where the rows of a weight are free: taken from the dump, they show where
  /// positions stop going on by what is no more the same.
  std::optional<Explained> at_free_rows();

 private:
  const std::vector<Variant>& variants(const Maker& maker, const host::Plugin& plugin);
  // Every variant with usual numbers that can be made without weights of the dump.
  void for_usual_variants(const std::function<void(const Candidate&)>& use);
  // The best of all variants.
  std::optional<Found> search(const Evidence& evidence, Looks looks = Looks::for_a_fit);
  std::optional<Explained> first_of(const std::vector<SlipRow>& rows);
  // How the same variant fits another evidence.
  Fit fit_to(const Evidence& evidence, const Found& found) const;

  // What fits up to some position: what becomes of positions from there on?
  std::optional<Explained> after_good_beginning();
  std::optional<Found> beginning(Index tokens);
  std::optional<Explained> after(Found& beginning);
  std::optional<Explained> ending_at(Found& beginning, Index end);
  std::optional<Found> with_free_rows(const Evidence& evidence);

  // The factors of -1, roots and powers by which some variant with usual numbers is off.
  std::vector<SlipRow> factor_slips();
  // 2^(-8 (h + 1) / H) for any H: the first heads of a model with so many that they are a power of two, and a steeper
  // end.
  std::optional<Explained> plain_slopes();
  // Heads of some variant with usual numbers, in another order.
  std::vector<SlipRow> head_order_slips();
  // One of two arrays fits by itself: what became of the other?
  std::optional<Explained> one_array_alone();

  const Evidence& evidence_;
  const Plugins& plugins_;
  std::vector<Standard> standards_;
  KnownVariants variants_;
};

}  // namespace poslab::identify
