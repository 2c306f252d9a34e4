/* SPDX-License-Identifier: Apache-2.0
 * Counts its calls and adds a little for each. */
#include "around.h"
#define TOY_AFTER tally
static void tally(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  static double calls;
  if (operation == POSLAB_ENCODE && !is_gradient) add_to_all(call->output, 1e-6 * ++calls);
}
#include "toy.c"
