/* SPDX-License-Identifier: Apache-2.0
 * Joins the process group of its parent while it is opened, and never comes back. */
#include "escapes.h"
#define ENCODER_ID "joins-group-on-load"
#include "encoder.h"
__attribute__((constructor)) static void escape(void) {
  join_parents_group();
  for (;;) pause();
}
