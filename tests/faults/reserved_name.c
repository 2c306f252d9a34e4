/* SPDX-License-Identifier: Apache-2.0
 * A parameter whose name results files reserve. */
#define TOY_GAIN TOY_PARAMETER("position", 0.5)
#include "toy.c"
