/* SPDX-License-Identifier: Apache-2.0
 * Claims to be symmetric, but its bias changes sign with the offset. */
#define TOY_MASK POSLAB_ANY_MASK
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_SYMMETRIC)
#include "toy.c"
