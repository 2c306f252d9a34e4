/* SPDX-License-Identifier: Apache-2.0
 * Claims to be length_free, but its codes depend on the length. */
#include "around.h"
#define TOY_AFTER tell_length
static void tell_length(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_ENCODE && !is_gradient) add_to_all(call->output, 1e-3 * (double)call->length);
}
#include "toy.c"
