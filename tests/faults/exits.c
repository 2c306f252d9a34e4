/* SPDX-License-Identifier: Apache-2.0
 * Ends the process, and calls it a success. */
#include "around.h"

#include <stdlib.h>
#define TOY_AFTER leave
static void leave(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)call, (void)is_gradient;
  if (operation == POSLAB_TRANSFORM) exit(0);
}
#include "toy.c"
