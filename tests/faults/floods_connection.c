/* SPDX-License-Identifier: Apache-2.0
 * Announces a message of half a terabyte to whoever listens on descriptor 3, and sends of it what is taken. */
#include <stdint.h>
#include <unistd.h>
#define ENCODER_ID "floods-connection"
#define ENCODER_ENCODE flood
#include <poslab/plugin.h>
static int32_t flood(const poslab_value *values, const poslab_call *call, poslab_error *error) {
  static const char opening[12] = {'p', 'o', 's', 'd', 0, 0, 0, 0, 0x80, 0, 0, 0};
  static char garbage[1 << 16];
  (void)values, (void)call, (void)error;
  if (write(3, opening, sizeof opening) < 0) return POSLAB_OK;
  while (write(3, garbage, sizeof garbage) > 0) { /* until somebody stops us */
  }
  return POSLAB_OK;
}
#include "encoder.h"
