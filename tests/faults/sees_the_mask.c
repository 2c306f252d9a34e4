/* SPDX-License-Identifier: Apache-2.0
 * Claims to be relative, and is as long as nobody asks for a causal mask. */
#include "around.h"
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_RELATIVE)
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#define TOY_AFTER add_keys
static void add_keys(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_BIAS || is_gradient || !call->causal) return;
  const int64_t Nk = call->output->shape[2];
  for (int64_t at = 0; at < count_of(call->output); ++at)
    add_to(call->output, at, 0.1 * ((const double *)call->key_positions->data)[at % Nk * call->key_positions->shape[1]]);
}
#include "toy.c"
