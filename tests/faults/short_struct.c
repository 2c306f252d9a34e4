/* SPDX-License-Identifier: Apache-2.0
 * Its table ends before version 1.0 did. */
#define TOY_SIZE 40
#include "toy.c"
