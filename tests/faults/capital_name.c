/* SPDX-License-Identifier: Apache-2.0
 * A parameter that is not in lower_case. */
#define TOY_GAIN TOY_PARAMETER("Gain", 0.5)
#include "toy.c"
