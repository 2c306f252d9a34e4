/* SPDX-License-Identifier: Apache-2.0
 * Exports its table under another name. */
#define TOY_SYMBOL somebody_elses_plugin
#include "toy.c"
