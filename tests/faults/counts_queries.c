/* SPDX-License-Identifier: Apache-2.0
 * Its bias depends on how many queries are asked for at once. */
#include "around.h"
#define TOY_AFTER tile
static void tile(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient) return;
  add_to_all(call->output, 1e-6 * (double)call->query_positions->shape[0]);
}
#include "toy.c"
