/* SPDX-License-Identifier: Apache-2.0
 * Looks at keys that the mask hides: where one of them is large, what is seen is no number. */
#include "around.h"
#include <math.h>
#define TOY_AFTER look
static void look(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  if (operation != POSLAB_SCORE || is_gradient || call->scalar != POSLAB_F64) return;
  for (int64_t i = 0; i < count_of(call->key); ++i)
    if (((const double *)call->key->data)[i] > 4.5) {
      add_to_all(call->output, NAN);
      return;
    }
}
#include "toy.c"
