/* SPDX-License-Identifier: Apache-2.0
 * A default outside its own range, which is greater than 0. */
#define TOY_GAIN TOY_PARAMETER("gain", 0)
#include "toy.c"
