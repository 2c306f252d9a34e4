/* SPDX-License-Identifier: Apache-2.0
 * Positions beyond a billion give nan. */
#include "around.h"
#define TOY_AFTER overflow
#include <math.h>
static void overflow(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_ENCODE && !is_gradient && count_of(call->output) > 0 && position_of(call, 0) > 1e10)
    add_to_all(call->output, NAN);
}
#include "toy.c"
