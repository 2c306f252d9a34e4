// SPDX-License-Identifier: Apache-2.0
// The slips, one by one: each is a change of what the evidence is, under which some variant must fit.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "slips.hpp"

namespace poslab::identify {

class Explanations {
 public:
  /// `evidence` is changed while a slip is looked for, and put back.
  Explanations(Evidence& evidence, const Plugins& plugins, KnownVariants known);

  /// The first slip that makes some variant with few numbers fit everywhere.
  std::optional<Explained> first();
  /// The same of slips at the edges of buckets, whose weights are free.
  std::optional<Explained> at_bucket_edges();
  /// The same of positions that end, where the rows of a weight are free: taken from the dump, they show where
  /// positions stop going on by what is no more the same.
  std::optional<Explained> of_rows_that_end();

 private:
  const std::vector<Variant>& variants(const Maker& maker, const host::Plugin& plugin);
  // The best of all variants for what the evidence is now.
  std::optional<Found> search(bool any_numbers = false);
  std::optional<Explained> at_positions(const Slip& slip, const std::function<double(double)>& map);
  // What fits up to some position: what becomes of positions from there on?
  std::optional<Explained> after_a_good_beginning();
  std::optional<Explained> after(Found& beginning);
  std::optional<Found> of_beginning(Index tokens);
  std::optional<Explained> with_another_end(Found& found, Index end);
  std::optional<Explained> with_axes_exchanged();
  std::optional<Found> of_rows();
  // The dump without the change.
  std::optional<Explained> of_others(
      const Slip& slip, const std::function<std::shared_ptr<const Observation>(const Observation&)>& change);
  // The factors of -1, roots and powers by which some variant with usual numbers is off.
  std::optional<Explained> scaled();
  std::vector<double> factors_of_usual_variants();
  // 2^(-8 (h + 1) / H) for any H: the first heads of a model with so many that they are a power of two, and a steeper
  // end.
  std::optional<Explained> plain_slopes();
  // Heads of some variant with usual numbers, in another order.
  std::optional<Explained> with_heads_exchanged();
  std::vector<std::vector<Index>> orders_of_usual_variants();
  // One of several observations fits by itself: what became of the other?
  std::optional<Explained> of_one_alone();
  std::optional<Explained> of_the_other(Found found, std::size_t other);

  Evidence& evidence_;
  const Plugins& plugins_;
  std::vector<Standard> standards_;
  KnownVariants variants_;
};

}  // namespace poslab::identify
