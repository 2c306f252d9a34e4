/* SPDX-License-Identifier: Apache-2.0
 * Rounds the positions that it was given. */
#include "around.h"
#define TOY_AFTER scribble
static void scribble(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_ENCODE && !is_gradient && count_of(call->positions) > 0) add_to(call->positions, 0, 1);
}
#include "toy.c"
