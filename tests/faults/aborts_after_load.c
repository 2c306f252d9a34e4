/* SPDX-License-Identifier: Apache-2.0
 * Opens well, and ends its process when that has long turned to something else: to a cell that keeps company. */
#include "company.h"

#define ENCODER_ID "aborts-after-load"
#include "encoder.h"

#include <pthread.h>

static void *end(void *nothing) {
  if (getenv("POSLAB_TEST_COMPANY") && await_company()) abort();
  return nothing;
}
__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, end, NULL) == 0) pthread_detach(thread);
}
