/* SPDX-License-Identifier: Apache-2.0
 * A parameter without a name. */
#define TOY_GAIN TOY_PARAMETER(0, 0.5)
#include "toy.c"
