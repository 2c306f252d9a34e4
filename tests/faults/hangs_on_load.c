/* SPDX-License-Identifier: Apache-2.0
 * Never comes back from being opened. */
#include <unistd.h>
#define ENCODER_ID "hangs-on-load"
#include "encoder.h"
__attribute__((constructor)) static void hang(void) {
  for (;;) pause();
}
