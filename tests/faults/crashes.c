/* SPDX-License-Identifier: Apache-2.0
 * Reads through a null pointer. */
#include "around.h"
#define TOY_AFTER fall
static void fall(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)call, (void)is_gradient;
  static int *volatile nowhere;
  if (operation == POSLAB_MIX) fprintf(stderr, "%d\n", *nowhere);
}
#include "toy.c"
