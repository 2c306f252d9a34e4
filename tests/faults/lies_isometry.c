/* SPDX-License-Identifier: Apache-2.0
 * Claims to be isometry, but its transform stretches. */
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_ISOMETRY)
#include "toy.c"
