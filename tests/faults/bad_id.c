/* SPDX-License-Identifier: Apache-2.0
 * Its id has capitals and a blank. */
#define TOY_ID "My Toy"
#include "toy.c"
