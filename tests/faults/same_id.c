/* SPDX-License-Identifier: Apache-2.0
 * Offers the id of the toy a second time. */
#define TOY_ID "toy"
#include "toy.c"
