/* SPDX-License-Identifier: Apache-2.0
 * Serves the first layer, and writes one number past the end of its bias in the next one. */
#include "around.h"
#define TOY_AFTER overrun
static void overrun(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_BIAS && !is_gradient && call->layer > 0) add_to(call->output, count_of(call->output), 1);
}
#include "toy.c"
