// SPDX-License-Identifier: Apache-2.0
// search = "sampled": some codes against all, where all pairs would take too long.
#pragma once

#include "poslab/experiment/measure.hpp"
#include "poslab/numerics/closest_pair.hpp"

namespace poslab::experiments::uniqueness {

/// `samples` different rows of 0 .. N - 1 in rising order, all of them if there are no more; every subset as likely as
/// any other.
std::vector<base::Index> sampled_rows(base::Index N, base::Index samples, const base::Stream& stream);

/// What the sampled rows of `codes` [N, W], N >= 2, say of all: bounds and estimates, see the page.
template <class S>
void record_sampled(base::View<const S> codes, const std::vector<base::Index>& rows, const numerics::Radius& radius,
                    Output& out);

}  // namespace poslab::experiments::uniqueness
