/* SPDX-License-Identifier: Apache-2.0
 * Claims to be constant_norm, but its codes grow. */
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_CONSTANT_NORM)
#include "toy.c"
