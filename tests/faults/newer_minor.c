/* SPDX-License-Identifier: Apache-2.0
 * Built for a later minor version of the boundary than any host can speak. */
#define TOY_MINOR 65535
#include "toy.c"
