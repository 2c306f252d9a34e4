/* SPDX-License-Identifier: Apache-2.0
 * Its transform adds a constant, so that it is not linear. */
#include "around.h"
#define TOY_AFTER bend
static void bend(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_TRANSFORM && !is_gradient) add_to_all(call->output, 1);
}
#include "toy.c"
