// SPDX-License-Identifier: Apache-2.0
// The variants of a scheme that could have made a dump: all choices and flags, each with the numbers that change what
// the dump shows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observation.hpp"
#include "poslab/host/library.hpp"

namespace poslab::identify {

/// How the arrays of a variant's weights came about.
enum class WeightsFrom {
  nothing,  ///< it has none
  dump,     ///< the dump has arrays with their names, whatever the shapes
  solved    ///< they are free, and what fits best was taken: the variant is known by its structure alone
};

/// What of a dump weights were taken from.
struct Solved {
  Index numbers = 0, weights = 0;  ///< that the dump shows, or the weights have
  bool by_offset = false;          ///< of a bias: no two offsets show the same row, but those of keys after the query
  /// Numbers that the weights do not explain by themselves; 0 where any dump would fit.
  Index surplus() const { return numbers > weights ? numbers - weights : 0; }
};

/// Makes candidates for one reading of a dump. Remembers nothing.
class Maker {
 public:
  Maker(std::shared_ptr<const host::Plugin> plugin, const Evidence& evidence)
      : plugin_(std::move(plugin)), evidence_(evidence) {}

  const data::SchemeInfo& info() const { return plugin_->info(); }
  const Evidence& evidence() const { return evidence_; }
  /// Nothing where the scheme refuses the values, does not show what the dump shows, or needs weights that are neither
  /// in the dump nor can be told from it: `fully` from all that the dump shows, else from some rows.
  std::optional<Candidate> candidate(const data::Values& values, bool fully = false) const;
  /// Whether its weights are a few numbers a head that were fitted: nothing else about it can be.
  bool fits_numbers_of_heads(const host::Scheme& scheme) const;
  /// Candidates with solved weights are left out from now on.
  void leave_out_solved() { leaves_out_solved_ = true; }
  /// Whatever the scheme shows; null where it refuses the values.
  std::shared_ptr<const host::Scheme> any_scheme(const data::Values& values) const;
  /// Only whether the scheme takes the values.
  std::shared_ptr<const host::Scheme> scheme(const data::Values& values) const;
  /// Whether the scheme takes the values, and shows something else than the dump does.
  bool shows_something_else(const data::Values& values) const;
  WeightsFrom weights_from(const host::Scheme& scheme) const;
  /// How far the weights that the scheme would have are from those that the dump has by name: 0 where all are there in
  /// their shapes. Nothing where the scheme refuses the values, or the dump names none of its weights.
  std::optional<Index> shapes_off(const data::Values& values) const;
  /// What of the dump solved weights were taken from.
  Solved solved(const Candidate& candidate) const;
  /// Why there is no candidate.
  std::string why_not(const data::Values& values) const;

  /// For a variant whose output is a choice of rows of its weight: how many offsets show the row beside theirs, where
  /// that explains all that does not fit.
  std::optional<Index> offsets_beside(const Candidate& candidate) const;

 private:
  bool shows(const host::Scheme& scheme) const;
  Solved solved_rows(const Candidate& candidate) const;
  const DumpArray* weight_of_dump(const host::WeightInfo& info) const;
  bool fill_from_dump(Candidate& candidate) const;

  std::shared_ptr<const host::Plugin> plugin_;
  const Evidence& evidence_;
  bool leaves_out_solved_ = false;
};

/// The setting in which a dump was made, as far as it says.
Setting setting_of(const Evidence& evidence, View<const double> positions);

/// One combination of choices and flags.
struct Variant {
  data::Values choices;              ///< with what else is needed to make it
  std::vector<std::string> numbers;  ///< parameters whose values change what the dump shows
  std::vector<data::Values> same;    ///< other choices that change nothing that the dump shows
};
std::vector<Variant> variants_of(const Maker& maker, const Evidence& evidence);

/// Values of a parameter that could show, other than its own in `values`.
std::vector<data::Value> telling_values(const data::Quantity& parameter, const Evidence& evidence,
                                        const data::Values& values);

/// Predictions at a few rows of every observation, near the beginning; empty where there are none.
std::vector<double> glimpse(const Candidate& candidate, const Evidence& evidence);

}  // namespace poslab::identify
