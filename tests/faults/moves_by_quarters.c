/* SPDX-License-Identifier: Apache-2.0
 * Claims to be relative, and is as long as positions move by whole numbers. */
#include "around.h"
#include <math.h>
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_RELATIVE)
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_REAL_POSITIONS 1
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#define TOY_AFTER round_down
static void round_down(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient) return;
  const int64_t H = call->output->shape[0], Nq = call->output->shape[1], Nk = call->output->shape[2];
  for (int64_t at = 0; at < H * Nq * Nk; ++at) {
    const double query = ((const double *)call->query_positions->data)[at / Nk % Nq * call->query_positions->shape[1]];
    const double key = ((const double *)call->key_positions->data)[at % Nk * call->key_positions->shape[1]];
    add_to(call->output, at, floor(key) - floor(query));
  }
}
#include "toy.c"
