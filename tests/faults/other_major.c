/* SPDX-License-Identifier: Apache-2.0
 * Built for the next major version of the boundary. */
#define TOY_MAJOR (POSLAB_MAJOR + 1)
#include "toy.c"
