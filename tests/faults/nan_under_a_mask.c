/* SPDX-License-Identifier: Apache-2.0
 * Where the mask is causal its bias is no number. */
#include "around.h"
#include <math.h>
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#define TOY_AFTER spoil
static void spoil(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation == POSLAB_BIAS && !is_gradient && call->causal) add_to_all(call->output, NAN);
}
#include "toy.c"
