/* SPDX-License-Identifier: Apache-2.0
 * Its title is longer than any. */
static char title[1 << 20] = {[0 ...(1 << 20) - 2] = 'x'};
#define ENCODER_ID "long-title"
#define ENCODER_TITLE title
#include "encoder.h"
