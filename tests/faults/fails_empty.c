/* SPDX-License-Identifier: Apache-2.0
 * Cannot do nothing. */
#include "around.h"
#define TOY_BEFORE insist
static int32_t insist(const void *self, const poslab_call *call, int operation, int is_gradient,
                      poslab_error *error) {
  (void)self, (void)is_gradient;
  if (operation != POSLAB_ENCODE || count_of(call->positions) > 0) return CONTINUE;
  snprintf(error->text, sizeof error->text, "0 positions");
  return POSLAB_FAILED;
}
#include "toy.c"
