/* SPDX-License-Identifier: Apache-2.0
 * Says on stdout what it is doing. */
#include "around.h"
#define TOY_AFTER talk
static void talk(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)call, (void)is_gradient;
  if (operation == POSLAB_SCORE) puts("scoring");
}
#include "toy.c"
