/* SPDX-License-Identifier: Apache-2.0
 * Dies of a choice that there is none of. */
#include "around.h"

#include <stdlib.h>
#define TOY_CREATE look_up
static int32_t look_up(const poslab_value *values, const poslab_model *model, poslab_error *error) {
  (void)model, (void)error;
  if (values[1].choice > 10) abort();
  return POSLAB_OK;
}
#include "toy.c"
