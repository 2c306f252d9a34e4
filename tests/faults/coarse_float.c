/* SPDX-License-Identifier: Apache-2.0
 * Its float32 codes have lost digits that float32 has. */
#include "around.h"
#define TOY_AFTER coarsen
static void coarsen(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_ENCODE && !is_gradient && call->scalar == POSLAB_F32) add_to_all(call->output, 1e-2);
}
#include "toy.c"
