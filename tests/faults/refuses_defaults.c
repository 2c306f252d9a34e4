/* SPDX-License-Identifier: Apache-2.0
 * Refuses its own defaults, and anything else. */
#include "around.h"
#define TOY_CREATE refuse
static int32_t refuse(const poslab_value *values, const poslab_model *model, poslab_error *error) {
  (void)values, (void)model;
  snprintf(error->text, sizeof error->text, "gain must not be 0.5");
  return POSLAB_REFUSED;
}
#include "toy.c"
