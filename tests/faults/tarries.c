/* SPDX-License-Identifier: Apache-2.0
 * Takes minutes for a context longer than 64, which only attacks on its claims have; and makes none. */
#define _POSIX_C_SOURCE 199309L
#include "around.h"

#include <time.h>

#define TOY_MASK POSLAB_ANY_MASK
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#define TOY_BEFORE tarry
static int32_t tarry(const void *self, const poslab_call *call, int operation, int is_gradient, poslab_error *error) {
  (void)self, (void)operation, (void)is_gradient, (void)error;
  if (call->length > 64) nanosleep(&(struct timespec){100, 0}, NULL);
  return CONTINUE;
}
#include "toy.c"
