/* SPDX-License-Identifier: Apache-2.0
 * For wrong plugins that act around an operation of the toy: the words that they share. */
#ifndef POSLAB_TESTS_AROUND_H
#define POSLAB_TESTS_AROUND_H
#include <poslab/plugin.h>

#include <stdio.h>

#define CONTINUE (-1)

static inline int64_t count_of(const poslab_view *view) {
  return view ? view->shape[0] * view->shape[1] * view->shape[2] * view->shape[3] : 0;
}

/* number i of an array += x */
static inline void add_to(const poslab_view *view, int64_t i, double x) {
  if (view->scalar == POSLAB_F32)
    ((float *)view->data)[i] += (float)x;
  else
    ((double *)view->data)[i] += x;
}

static inline void add_to_all(const poslab_view *view, double x) {
  for (int64_t i = 0; i < count_of(view); ++i) add_to(view, i, x);
}

/* position i of encode or transform, or of the keys */
static inline double position_of(const poslab_call *call, int64_t i) {
  const poslab_view *positions = call->positions ? call->positions : call->key_positions;
  return ((const double *)positions->data)[i * positions->shape[1]];
}
#endif
