/* SPDX-License-Identifier: Apache-2.0
 * Its title turns what follows it round. */
#define ENCODER_ID "evil-title"
#define ENCODER_TITLE "a title \xE2\x80\xAE\x1b[2J turned round"
#include "encoder.h"
