/* SPDX-License-Identifier: Apache-2.0
 * Greets on stdout and stderr when it is opened, and is right otherwise. */
#define ENCODER_ID "prints-on-load"
#include "encoder.h"
__attribute__((constructor)) static void greet(void) {
  puts("prints-on-load: hello, stdout");
  fputs("prints-on-load: hello, stderr\n", stderr);
  fflush(stdout);
}
