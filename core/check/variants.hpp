// SPDX-License-Identifier: Apache-2.0
// Which variants of a scheme are checked: the defaults and, one parameter at a time, every other choice, the other
// flag, and both ends of a finite range.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::check {

struct Variant {
  std::string label;  ///< "style=half-split, D=32 H=4"
  data::Values parameters;
  host::Model model;
};

/// A model that is small, and one with an awkward width.
const std::vector<host::Model>& usual_models();
/// Models more usual than the small one, for schemes that refuse it.
const std::vector<host::Model>& wider_models();

/// `given` parameters are the only ones, if there are any; `models` likewise, else a usual and an awkward one. The
/// first model gets every variant; the others all but the ends of ranges.
std::vector<Variant> variants_of(const data::SchemeInfo& scheme, const data::Values& given,
                                 const std::vector<host::Model>& models);

/// Values of `parameter` beside its default that are tried: choices, flags, ends of the range.
std::vector<data::Value> other_values(const data::Quantity& parameter);
/// Values that `parameter` must refuse: beyond its ends, nan, infinities, a wrong kind, an unknown choice.
std::vector<data::Value> outside_values(const data::Quantity& parameter);

}  // namespace poslab::check
