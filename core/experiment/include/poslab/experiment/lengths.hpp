// SPDX-License-Identifier: Apache-2.0
// Lengths of contexts beside those that a study names. Round ones share their remainders by 2, 3, 4, ..., so that a
// scheme which goes by one of these looks as if it did not.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "poslab/base/array.hpp"

namespace poslab::experiments {

/// The last prime of lowest .. highest, if there is one.
std::optional<base::Index> last_prime(base::Index lowest, base::Index highest);

/// One length of lowest .. highest, the same for these two wherever it is drawn; nothing where there is none.
std::optional<base::Index> drawn_length(base::Index lowest, base::Index highest);

/// Those of lowest .. highest, each once, rising.
std::vector<base::Index> lengths_within(base::Index lowest, base::Index highest,
                                        std::initializer_list<std::optional<base::Index>> lengths);

}  // namespace poslab::experiments
