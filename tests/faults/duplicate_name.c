/* SPDX-License-Identifier: Apache-2.0
 * Two parameters of one name. */
#define TOY_GAIN TOY_PARAMETER("limit", 0.5)
#include "toy.c"
