/* SPDX-License-Identifier: Apache-2.0
 * Never comes back from its bias. */
#include "around.h"

#include <unistd.h>
#define TOY_AFTER sleep_on
static void sleep_on(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self, (void)call, (void)is_gradient;
  while (operation == POSLAB_BIAS) pause();
}
#include "toy.c"
