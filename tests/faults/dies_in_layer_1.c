/* SPDX-License-Identifier: Apache-2.0
 * Serves the first layer, and ends the process in the next one. */
#include "around.h"
#include <stdlib.h>
#define TOY_AFTER die
static void die(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)operation, (void)is_gradient;
  if (call->layer > 0) abort();
}
#include "toy.c"
