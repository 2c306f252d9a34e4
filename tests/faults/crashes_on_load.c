/* SPDX-License-Identifier: Apache-2.0
 * Falls while the loader opens it. */
#define ENCODER_ID "crashes-on-load"
#include "encoder.h"
__attribute__((constructor)) static void fall(void) {
  static int *volatile nowhere;
  fputs("crashes-on-load: opened\n", stderr);
  *nowhere = 1;
}
