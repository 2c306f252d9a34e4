/* SPDX-License-Identifier: Apache-2.0
 * A usual number outside the parameter's own range, which ends at 10. */
static const double usual[] = {1, 11};
#define TOY_PARAMETER(name_, default_) {.size = sizeof(poslab_parameter), .kind = POSLAB_REAL, .name = name_, .unit = "1", \
  .sentence = "a factor", .above_lowest = 1, .highest = 10, .default_number = default_, .usual = usual, .usual_count = 2}
#include "toy.c"
