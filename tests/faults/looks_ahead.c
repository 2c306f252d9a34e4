/* SPDX-License-Identifier: Apache-2.0
 * Lets every logit depend on the last key, also where the mask hides it. */
#include "around.h"
#define TOY_AFTER look
static void look(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient || count_of(call->output) == 0) return;
  add_to_all(call->output, 1e-3 * position_of(call, call->key_positions->shape[0] - 1));
}
#include "toy.c"
