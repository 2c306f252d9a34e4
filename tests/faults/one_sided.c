/* SPDX-License-Identifier: Apache-2.0
 * Claims to be symmetric, rightly: under a causal mask, keys to the right get no bias, but there they are hidden. */
#include "around.h"
#include <math.h>
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_RELATIVE | POSLAB_SYMMETRIC)
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#define TOY_AFTER fall
static void fall(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient || call->scalar != POSLAB_F64) return;
  const int64_t Nq = call->output->shape[1], Nk = call->output->shape[2];
  for (int64_t at = 0; at < count_of(call->output); ++at) {
    const double query = ((const double *)call->query_positions->data)[at / Nk % Nq * call->query_positions->shape[1]];
    const double key = ((const double *)call->key_positions->data)[at % Nk * call->key_positions->shape[1]];
    ((double *)call->output->data)[at] = call->causal && key > query ? 0 : -fabs(key - query);
  }
}
#include "toy.c"
