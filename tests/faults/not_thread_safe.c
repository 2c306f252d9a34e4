/* SPDX-License-Identifier: Apache-2.0
 * Keeps what it is about to add in one place for all threads. */
#include "around.h"

#include <sched.h>
#define TOY_AFTER scratch
static void scratch(const void *self, const poslab_call *call, int operation, int is_gradient) {
  (void)self;
  static volatile double shared;
  if (operation != POSLAB_ENCODE || is_gradient || count_of(call->output) == 0) return;
  const double last = position_of(call, call->positions->shape[0] - 1);
  shared = last;
  sched_yield();
  add_to_all(call->output, shared - last);
}
#include "toy.c"
