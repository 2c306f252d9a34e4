/* SPDX-License-Identifier: Apache-2.0
 * Claims that positions below 1000 differ, but 41 has the code of 40. */
#include "around.h"
#define TOY_OPERATIONS (1u << POSLAB_ENCODE)
#define TOY_UNIQUE_UP_TO 1000
#define TOY_AFTER repeat
static void repeat(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_ENCODE || is_gradient) return;
  const int64_t N = call->output->shape[0], D = call->output->shape[1];
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; position_of(call, n) == 41 && c < D; ++c) add_to(call->output, n * D + c, -0.5);
}
#include "toy.c"
