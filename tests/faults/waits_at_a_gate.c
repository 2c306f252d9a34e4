/* SPDX-License-Identifier: Apache-2.0
 * Right, but from its third call on it waits for as long as the file $POSLAB_TEST_GATE/$SLURM_ARRAY_TASK_ID is there, and says
 * so by a file beside it: so that a test can stop a task of a job array in the midst of its work. */
#define _POSIX_C_SOURCE 200809L
#include "around.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define TOY_OPERATIONS (1u << POSLAB_ENCODE)
#define TOY_AFTER wait_at_gate
static void wait_at_gate(const void *self, const poslab_call *call, int operation, int is_gradient) {
  static int calls;
  const char *folder = getenv("POSLAB_TEST_GATE"), *task = getenv("SLURM_ARRAY_TASK_ID");
  char gate[512], reached[520];
  (void)self, (void)call, (void)operation, (void)is_gradient;
  if (!folder || !task || __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) < 3) return;
  snprintf(gate, sizeof gate, "%s/%s", folder, task);
  snprintf(reached, sizeof reached, "%s.reached", gate);
  if (access(gate, F_OK) != 0) return;
  FILE *sign = fopen(reached, "w");
  if (sign) fclose(sign);
  while (access(gate, F_OK) == 0) nanosleep(&(struct timespec){0, 20000000}, NULL);
}
#include "toy.c"
