/* SPDX-License-Identifier: Apache-2.0
 * Does not claim what is true of it: its bias depends on positions through their difference only. */
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_OPERATIONS (1u << POSLAB_BIAS)
#include "toy.c"
