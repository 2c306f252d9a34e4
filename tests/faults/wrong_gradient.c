/* SPDX-License-Identifier: Apache-2.0
 * The gradient of its encode is a thousandth too large. */
#include "around.h"
#define TOY_AFTER exaggerate
static void exaggerate(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_ENCODE || !is_gradient || !call->weight_gradients || !call->weight_gradients[0]) return;
  const int64_t N = call->output_gradient->shape[0], D = call->output_gradient->shape[1];
  for (int64_t i = 0; i < N * D; ++i) {
    const double x = call->scalar == POSLAB_F32 ? ((const float *)call->output_gradient->data)[i]
                                                : ((const double *)call->output_gradient->data)[i];
    add_to(call->weight_gradients[0], i % D, 1e-3 * x);
  }
}
#include "toy.c"
