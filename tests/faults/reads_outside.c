/* SPDX-License-Identifier: Apache-2.0
 * Reads far before the start of its positions. */
#include "around.h"
#define TOY_AFTER peep
static void peep(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  static volatile double seen;
  (void)seen;
  if (operation == POSLAB_ENCODE && !is_gradient) seen = ((const volatile double *)call->positions->data)[-4];
}
#include "toy.c"
