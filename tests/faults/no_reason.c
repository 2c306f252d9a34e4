/* SPDX-License-Identifier: Apache-2.0
 * Refuses an odd head width without a word. */
#include "around.h"
#define TOY_CREATE refuse_odd
static int32_t refuse_odd(const poslab_value *values, const poslab_model *model, poslab_error *error) {
  (void)values, (void)error;
  return model->head_width % 2 ? POSLAB_REFUSED : POSLAB_OK;
}
#include "toy.c"
