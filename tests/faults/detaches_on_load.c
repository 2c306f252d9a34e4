/* SPDX-License-Identifier: Apache-2.0
 * Leaves a process in a session of its own when it is opened, and is right otherwise. */
#include "escapes.h"
#define ENCODER_ID "detaches-on-load"
#include "encoder.h"
__attribute__((constructor)) static void escape(void) {
  detach_a_child();
}
