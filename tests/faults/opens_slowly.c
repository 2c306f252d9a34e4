/* SPDX-License-Identifier: Apache-2.0
 * Takes as long to be opened as the file $POSLAB_TEST_GATE is there, and says that it has begun by a pipe of that name with
 * ".begun", if there is one. Right otherwise. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#define ENCODER_ID "opens-slowly"
#include "encoder.h"
__attribute__((constructor)) static void wait(void) {
  const char *gate = getenv("POSLAB_TEST_GATE");
  char begun[512];
  if (!gate) return;
  snprintf(begun, sizeof begun, "%s.begun", gate);
  const int pipe = open(begun, O_WRONLY | O_NONBLOCK);
  if (pipe >= 0 && write(pipe, "x", 1) == 1) close(pipe);
  while (access(gate, F_OK) == 0) nanosleep(&(struct timespec){0, 5000000}, NULL);
}
