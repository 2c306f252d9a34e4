/* SPDX-License-Identifier: Apache-2.0
 * While it is opened, says on descriptor 3 what a worker would say of a library, but nonsense. */
#include <unistd.h>
#define ENCODER_ID "answers-on-load"
#include "encoder.h"
__attribute__((constructor)) static void answer(void) {
  static const char offer[] = {'p', 'o', 's', 'O', 3, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c'};
  if (write(3, offer, sizeof offer) < 0) return;
}
