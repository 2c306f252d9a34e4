/* SPDX-License-Identifier: Apache-2.0
 * Writes on past the end of its bias until the system stops it. */
#include "around.h"
#define TOY_AFTER run_over
static void run_over(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient) return;
  for (int64_t i = count_of(call->output);; ++i) ((volatile float *)call->output->data)[i] = 1;
}
#include "toy.c"
