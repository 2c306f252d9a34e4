/* SPDX-License-Identifier: Apache-2.0
 * Claims to be content_free, but its score sums the query. */
#define TOY_CLAIMS (POSLAB_LENGTH_FREE | POSLAB_CONTENT_FREE)
#include "toy.c"
