/* SPDX-License-Identifier: Apache-2.0
 * Its id is null. */
#define TOY_ID 0
#include "toy.c"
