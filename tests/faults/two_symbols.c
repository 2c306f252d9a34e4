/* SPDX-License-Identifier: Apache-2.0
 * Exports a second symbol. */
#include "toy.c"
POSLAB_EXPORT extern const int something_else;
const int something_else = 1;
