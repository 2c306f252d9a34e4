// SPDX-License-Identifier: Apache-2.0
// Several questions at once, of which none is to be answered wrongly by chance.
#pragma once

#include <cstddef>
#include <vector>

namespace poslab::data {

/// How often one or more of a family's answers may be wrong by chance.
inline constexpr double family_error_rate = 0.05;

/// The error rate of each answer, by Holm 1979, "A simple sequentially rejective multiple test procedure": the surest
/// of a family of m answers gets 1/m of the family's rate, the next 1/(m - 1), until one is not given at its rate,
/// which is then that of all that are left. `chances`: at which error rate each could just be given. `family`: m, as
/// many as there are at least; those that are not here count as not given.
std::vector<double> holm_error_rates(const std::vector<double>& chances, std::size_t family,
                                     double error_rate = family_error_rate);

}  // namespace poslab::data
