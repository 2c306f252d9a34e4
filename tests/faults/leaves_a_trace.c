/* SPDX-License-Identifier: Apache-2.0
 * Writes a line for every cell that it is asked for into the pipe that POSLAB_TEST_TRACE names, so that a test sees what was
 * computed, when, and how often: monotonic nanoseconds, `number`, length. Long sequences arrive in batches: the first counts. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#define ENCODER_ID "leaves-a-trace"
#define ENCODER_PARAMETERS parameters
#define ENCODER_PARAMETER_COUNT 1
#define ENCODER_ENCODE leave_a_trace
#include <poslab/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const poslab_parameter number = {.size = sizeof number, .kind = POSLAB_INTEGER, .name = "number", .unit = "1",
  .sentence = "does nothing", .lowest = 0, .highest = INFINITY};
static const poslab_parameter *const parameters[] = {&number};

static int32_t leave_a_trace(const poslab_value *values, const poslab_call *call, poslab_error *error) {
  (void)error;
  const char *path = getenv("POSLAB_TEST_TRACE");
  if (!path || ((const double *)call->positions->data)[0] != 0) return POSLAB_OK;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char line[96];
  const int size = snprintf(line, sizeof line, "%" PRId64 " %" PRId64 " %" PRId64 "\n",
                            (int64_t)now.tv_sec * 1000000000 + now.tv_nsec, values[0].integer, call->length);
  const int file = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const int written = file >= 0 && write(file, line, (size_t)size) == size; /* one write: lines stay whole */
  if (file >= 0) close(file);
  return written ? POSLAB_OK : POSLAB_FAILED;
}

#include "encoder.h"
