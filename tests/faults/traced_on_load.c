/* SPDX-License-Identifier: Apache-2.0
 * Lets itself be traced while it is opened, stops, and never comes back. */
#include "escapes.h"
#define ENCODER_ID "traced-on-load"
#include "encoder.h"
__attribute__((constructor)) static void escape(void) {
  let_itself_be_traced();
  raise(SIGSTOP);
  for (;;) pause();
}
