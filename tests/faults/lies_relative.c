/* SPDX-License-Identifier: Apache-2.0
 * Claims to be relative, but its codes enter the logits one by one. */
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_RELATIVE)
#include "toy.c"
