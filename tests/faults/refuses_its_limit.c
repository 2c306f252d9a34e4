/* SPDX-License-Identifier: Apache-2.0
 * Says that it serves position 100, and refuses it. */
#include "around.h"
#define TOY_HIGHEST_POSITION 100
#define TOY_BEFORE turn_away
static int32_t turn_away(const void *self, const poslab_call *call, int operation, int is_gradient,
                         poslab_error *error) {
  (void)self, (void)operation, (void)is_gradient;
  const poslab_view *positions = call->positions ? call->positions : call->key_positions;
  for (int64_t i = 0; i < positions->shape[0]; ++i)
    if (position_of(call, i) >= 100) {
      snprintf(error->text, sizeof error->text, "position 100 is beyond 99");
      return POSLAB_OUT_OF_RANGE;
    }
  return CONTINUE;
}
#include "toy.c"
