/* SPDX-License-Identifier: Apache-2.0
 * Declares a weight, the shift of its encode, that nothing it offers uses. */
#define TOY_OPERATIONS (31u & ~(1u << POSLAB_ENCODE))
#include "toy.c"
