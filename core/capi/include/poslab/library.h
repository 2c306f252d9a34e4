/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes for other languages: libposlab.so, which poslab's Python package calls through ctypes.
 *
 * What a scheme is, its operations and what each of them is given are described in plugin.h; here they are called with
 * the host's checks. No HDF5 is linked and no file is written; a scheme that is a Python file has a process of its own.
 *
 * Functions that return int32_t return a poslab_status, or POSLAB_NOT_UNDERSTOOD; where it is not POSLAB_OK, `error` has
 * its code and a sentence. Texts are UTF-8. Texts handed out are JSON, and are given back with poslab_release. Any thread
 * may call any function, several at once; a variant may be closed when no call uses it.
 *
 * Dimension letters: N positions, Nq queries, Nk keys, A axes of a position, D model width, H heads, K head width. */
#ifndef POSLAB_LIBRARY_H
#define POSLAB_LIBRARY_H

#include "poslab/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSLAB_PUBLIC __attribute__((visibility("default")))

/* What was asked makes no sense: an unknown scheme or parameter, a value outside its range, an array of another shape.
 * The text names it, and what was meant. */
enum { POSLAB_NOT_UNDERSTOOD = 5 };

/* A scheme with its parameters, attached to a model. */
typedef struct poslab_variant poslab_variant;

/* "0.1.0": the version of the program that was built with it. */
POSLAB_PUBLIC const char *poslab_version(void);

/* {"schemes": [as `poslab list schemes --json`], "refused": [{"file", "reason"}]} of the plugins in `directories`, which
 * are separated by colons. */
POSLAB_PUBLIC int32_t poslab_list(const char *directories, char **text, poslab_error *error);

/* request: {"scheme": an id, or the file of a plugin, "directories": as above, "parameters": {name: value, or null for
 * unset}, "model_width": D, "heads": H, "train_length": n}. *text becomes what `poslab describe SCHEME --variant --json`
 * says of it. */
POSLAB_PUBLIC int32_t poslab_open(const char *request, poslab_variant **variant, char **text, poslab_error *error);
POSLAB_PUBLIC void poslab_close(poslab_variant *variant);
POSLAB_PUBLIC void poslab_release(char *text);

/* Untrained weights, as `poslab table --seed` draws them. `arrays` has one for each layer and declared weight, those of
 * layer 0 first; a weight that is for all layers is written once for each. */
POSLAB_PUBLIC int32_t poslab_draw(const poslab_variant *variant, uint64_t seed, int64_t layers, double *const *arrays,
                                  poslab_error *error);

/* One operation (enum poslab_operation_index), or its gradient, as plugin.h describes its call. `length` 0 is the number
 * of (key) positions; `train_length` 0 is the model's. Arrays may lie anywhere that their scalar type may. */
POSLAB_PUBLIC int32_t poslab_apply(const poslab_variant *variant, int32_t operation, const poslab_call *call,
                                   poslab_error *error);
POSLAB_PUBLIC int32_t poslab_apply_gradient(const poslab_variant *variant, int32_t operation, const poslab_call *call,
                                            poslab_error *error);

/* A whole layer of attention, with all operations of the variant but `encode` in their places. Of the call are read:
 * `positions` [N, A], `query` and `key` [H, N, K] before any position enters them, `layer_input` [N, D] if the scheme
 * reads it, `weights`, `scalar`, `causal`, `layer`, the lengths.
 * poslab_logits: `output` [H, N, N] becomes the logits, -infinity where the mask hides a key.
 * poslab_attend: `value` [H, N, K]; `output` [H, N, K] becomes what the queries gather. */
POSLAB_PUBLIC int32_t poslab_logits(const poslab_variant *variant, const poslab_call *call, poslab_error *error);
POSLAB_PUBLIC int32_t poslab_attend(const poslab_variant *variant, const poslab_call *call, poslab_error *error);

#ifdef __cplusplus
}
#endif

#endif
