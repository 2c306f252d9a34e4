// SPDX-License-Identifier: Apache-2.0
#include "poslab/numerics/unequal_rows.hpp"

#include <fmt/format.h>

namespace poslab::numerics {

base::Error unequal_rows(std::string_view fit, base::Index of_inputs, base::Index of_targets) {
  return base::Error(fmt::format("a {} of {} rows was given targets of {} rows; it wants as many, 1 or more", fit,
                                 of_inputs, of_targets));
}

}  // namespace poslab::numerics
