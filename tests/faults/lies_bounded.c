/* SPDX-License-Identifier: Apache-2.0
 * Claims to be bounded, but its bias grows with the distance. */
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_BOUNDED)
#include "toy.c"
