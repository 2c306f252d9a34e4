/* SPDX-License-Identifier: Apache-2.0
 * Right, and slow for as long as a test wants it in flight; meanwhile it holds `mib` of memory. */
#include "company.h"

#define ENCODER_ID "keeps-company"
#define ENCODER_PARAMETERS parameters
#define ENCODER_PARAMETER_COUNT 2
#define ENCODER_ENCODE stay
#include <poslab/plugin.h>

#include <math.h>

static const poslab_parameter number = {.size = sizeof number, .kind = POSLAB_INTEGER, .name = "number", .unit = "1",
  .sentence = "does nothing", .lowest = 0, .highest = INFINITY};
static const poslab_parameter mib = {.size = sizeof mib, .kind = POSLAB_INTEGER, .name = "mib", .unit = "1",
  .sentence = "memory that it holds", .lowest = 0, .highest = INFINITY};
static const poslab_parameter *const parameters[] = {&number, &mib};

static int32_t stay(const poslab_value *values, const poslab_call *call, poslab_error *error) {
  (void)call, (void)error;
  void *volatile block = malloc((size_t)values[1].integer << 20); /* asked for, never touched */
  if (!block) return POSLAB_OUT_OF_MEMORY;
  keep_company();
  free(block);
  return POSLAB_OK;
}

#include "encoder.h"
