/* SPDX-License-Identifier: Apache-2.0
 * Calls a function that nobody defines: the loader must say so, not the first call. */
extern void function_that_nobody_defines(void);
#include "toy.c"
POSLAB_EXPORT void call_it(void);
void call_it(void) { function_that_nobody_defines(); }
