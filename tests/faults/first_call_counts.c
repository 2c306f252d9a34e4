/* SPDX-License-Identifier: Apache-2.0
 * Adds the first position that an instance ever saw to all its codes. */
#include "around.h"
#define TOY_CLAIMS 0
#define TOY_AFTER remember
static void remember(const void *self, const poslab_call *call, int operation, int is_gradient);
#include "toy.c"
static void remember(const void *self, const poslab_call *call, int operation, int is_gradient) {
  toy *mutable = (toy *)self;
  if (operation != POSLAB_ENCODE || is_gradient || count_of(call->output) == 0) return;
  if (mutable->echo[7] == 0) mutable->echo[7] = 1 + (double)call->positions->shape[0];
  add_to_all(call->output, 1e-3 * mutable->echo[7]);
}
