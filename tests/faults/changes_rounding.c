/* SPDX-License-Identifier: Apache-2.0
 * Rounds upwards for its own sake, and leaves it so. */
#include "around.h"

#include <fenv.h>
#define TOY_AFTER round_up
static void round_up(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)call, (void)is_gradient;
  if (operation == POSLAB_MIX) fesetround(FE_UPWARD);
}
#include "toy.c"
