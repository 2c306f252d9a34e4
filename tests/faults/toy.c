/* SPDX-License-Identifier: Apache-2.0
 * A right plugin, written in C by hand: every operation with its gradient, in both scalars, on formulas that a test can
 * do in its head. `mode` makes one call go wrong. The faulty plugins beside this file include it and change one thing:
 * a word of its table, a claim, or what TOY_BEFORE and TOY_AFTER do around every operation.
 *
 *   encode     gain * position + shift[c]
 *   transform  x * (2 on the query side, 3 on the key side) * position
 *   bias       slope[h] * (query - key), slope of the layer that asks
 *   score      + scale * sum_k q[h, i, k] + layer_input[j, 0]
 *   mix        + sum_j attention[h, i, j] * key position j
 */
#include <poslab/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TOY_ID
#define TOY_ID "toy"
#endif
#ifndef TOY_SIZE
#define TOY_SIZE sizeof(poslab_plugin)
#endif
#ifndef TOY_MAJOR
#define TOY_MAJOR POSLAB_MAJOR
#endif
#ifndef TOY_MINOR
#define TOY_MINOR POSLAB_MINOR
#endif
#ifndef TOY_SYMBOL
#define TOY_SYMBOL poslab_plugin_v1
#endif
#ifndef TOY_PARAMETER
#define TOY_PARAMETER(name_, default_) {.size = sizeof(poslab_parameter), .kind = POSLAB_REAL, .name = name_, .unit = "1", \
  .sentence = "factor on the position", .lowest = 0, .highest = 10, .above_lowest = 1, .default_number = default_}
#endif
#ifndef TOY_GAIN
#define TOY_GAIN TOY_PARAMETER("gain", 0.5)
#endif

/* What the instance says; `operations` are bits. */
#ifndef TOY_CLAIMS
#define TOY_CLAIMS POSLAB_LENGTH_FREE
#endif
#ifndef TOY_OPERATIONS
#define TOY_OPERATIONS 31u
#endif
#ifndef TOY_MASK
#define TOY_MASK POSLAB_CAUSAL_ONLY
#endif
#ifndef TOY_REAL_POSITIONS
#define TOY_REAL_POSITIONS 0
#endif
#ifndef TOY_UNIQUE_UP_TO
#define TOY_UNIQUE_UP_TO 0
#endif
#ifndef TOY_HIGHEST_POSITION
#define TOY_HIGHEST_POSITION instance->highest_position
#endif
/* int32_t TOY_BEFORE(self, call, operation, is_gradient, error): a status other than -1 is the answer, and nothing is done;
 * void TOY_AFTER(self, call, operation, is_gradient); int32_t TOY_CREATE(values, model, error): a status other than OK. */
#ifndef TOY_BEFORE
#define TOY_BEFORE(self, call, operation, is_gradient, error) -1
#endif
#ifndef TOY_AFTER
#define TOY_AFTER(self, call, operation, is_gradient) (void)0
#endif
#ifndef TOY_CREATE
#define TOY_CREATE(values, model, error) POSLAB_OK
#endif

enum mode { PLAIN, REFUSE, SILENT, STRANGE, OUT_OF_RANGE, GIVES_NAN, GIVES_INFINITY, MASKS, LONG_TEXT, BROKEN_INSTANCE, TELLS_CONTEXT };

typedef struct toy {
  int64_t D, H, K;
  double gain;
  int mode;
  double echo[8]; /* what crossed the boundary, told back as inverse frequencies */
  int64_t echo_count;
  poslab_weight shift, slope;
  const poslab_weight *weights[2];
} toy;

static int32_t fail(poslab_error *error, int32_t code, const char *text) {
  error->code = code;
  snprintf(error->text, sizeof error->text, "%s", text);
  return code;
}

static int32_t create(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error) {
  if (values[1].choice == REFUSE) return fail(error, POSLAB_REFUSED, "this toy is refused");
  const int32_t refusal = TOY_CREATE(values, model, error);
  if (refusal != POSLAB_OK) return refusal;
  toy *self = calloc(1, sizeof *self);
  self->D = model->model_width, self->H = model->heads, self->K = model->head_width;
  self->gain = values[0].real;
  self->mode = values[1].choice;
  self->echo[self->echo_count++] = values[0].real;
  self->echo[self->echo_count++] = values[1].choice;
  self->echo[self->echo_count++] = values[2].is_set ? (double)values[2].integer : -1;
  self->echo[self->echo_count++] = values[3].choice;
  for (int64_t i = 0; i < values[4].list_count && self->echo_count < 8; ++i) self->echo[self->echo_count++] = values[4].list[i];
  self->shift = (poslab_weight){.size = sizeof(poslab_weight), .rank = 1, .name = "shift", .shape = {self->D, 1, 1, 1},
    .initialisation = POSLAB_NORMAL, .first = 1, .second = 2, .sentence = "added to every channel"};
  self->slope = (poslab_weight){.size = sizeof(poslab_weight), .rank = 1, .name = "slope", .shape = {self->H, 1, 1, 1},
    .per_layer = 1, .initialisation = POSLAB_UNIFORM, .first = 3, .second = 4, .sentence = "of every head"};
  self->weights[0] = &self->shift, self->weights[1] = &self->slope;
  instance->operations = self->mode == BROKEN_INSTANCE ? 1u << 9 : TOY_OPERATIONS;
  instance->self = self;
  instance->claims = self->mode == MASKS ? POSLAB_MAY_BE_INFINITE : TOY_CLAIMS;
  instance->mask = TOY_MASK;
  instance->unique_up_to = TOY_UNIQUE_UP_TO;
  instance->highest_position = TOY_HIGHEST_POSITION;
  instance->logit_scale = 0.25;
  if (values[2].is_set) instance->lowest_position = 0, instance->highest_position = (double)values[2].integer;
  instance->weights = self->weights, instance->weight_count = 2;
  instance->inverse_frequency = self->echo, instance->inverse_frequency_count = self->echo_count;
  return POSLAB_OK;
}

static void destroy(void *self) { free(self); }

/* The status that `mode` asks for, or POSLAB_OK; NaN and infinities are written by the operations. */
static int32_t misbehave(const toy *self, poslab_error *error) {
  if (self->mode == SILENT) return POSLAB_FAILED;
  if (self->mode == STRANGE) return fail(error, 99, "strange things");
  if (self->mode == OUT_OF_RANGE) return fail(error, POSLAB_OUT_OF_RANGE, "position 7 is beyond 5");
  if (self->mode == LONG_TEXT) {
    memset(error->text, 'x', sizeof error->text); /* not even ended */
    return POSLAB_FAILED;
  }
  return POSLAB_OK;
}

#define S float
#define FOR_SCALAR(name) name##_f32
#include "toy_operations.h"
#undef S
#undef FOR_SCALAR
#define S double
#define FOR_SCALAR(name) name##_f64
#include "toy_operations.h"

#define EITHER(name, operation, is_gradient)                                                     \
  static int32_t name(const void *self, const poslab_call *call, poslab_error *error) {          \
    const int32_t status = misbehave(self, error);                                               \
    if (status != POSLAB_OK) return status;                                                      \
    const int32_t before = TOY_BEFORE(self, call, operation, is_gradient, error);                \
    if (before != -1) return before;                                                             \
    call->scalar == POSLAB_F32 ? name##_f32(self, call) : name##_f64(self, call);                \
    TOY_AFTER(self, call, operation, is_gradient);                                               \
    return POSLAB_OK;                                                                            \
  }
EITHER(encode, POSLAB_ENCODE, 0)
EITHER(encode_gradient, POSLAB_ENCODE, 1)
EITHER(transform, POSLAB_TRANSFORM, 0)
EITHER(bias, POSLAB_BIAS, 0)
EITHER(bias_gradient, POSLAB_BIAS, 1)
EITHER(score, POSLAB_SCORE, 0)
EITHER(score_gradient, POSLAB_SCORE, 1)
EITHER(mix, POSLAB_MIX, 0)
EITHER(mix_gradient, POSLAB_MIX, 1)

static const char *const modes[] = {"plain", "refuse", "silent", "strange", "out_of_range", "gives_nan", "gives_infinity",
                                    "masks", "long_text", "broken_instance", "tells_context"};
static const double default_list[] = {1.5, 2.5};
static const poslab_parameter gain = TOY_GAIN;
static const poslab_parameter mode = {.size = sizeof(poslab_parameter), .kind = POSLAB_CHOICE, .name = "mode", .unit = "1",
  .sentence = "what goes wrong", .choices = modes, .choice_count = 11};
static const poslab_parameter limit = {.size = sizeof(poslab_parameter), .kind = POSLAB_INTEGER, .name = "limit", .unit = "position",
  .sentence = "the highest position", .lowest = 0, .highest = INFINITY, .may_be_unset = 1, .default_number = NAN};
static const poslab_parameter flip = {.size = sizeof(poslab_parameter), .kind = POSLAB_FLAG, .name = "flip", .unit = "1",
  .sentence = "does nothing", .default_choice = 1};
static const poslab_parameter list = {.size = sizeof(poslab_parameter), .kind = POSLAB_LIST, .name = "list", .unit = "1",
  .sentence = "does nothing", .lowest = 0, .highest = INFINITY, .default_list = default_list, .default_list_count = 2};
static const poslab_parameter *const parameters[] = {&gain, &mode, &limit, &flip, &list};

static const poslab_operation_pair operations[] = {
  {encode, encode_gradient}, {transform, transform}, {bias, bias_gradient}, {score, score_gradient}, {mix, mix_gradient}};

POSLAB_EXPORT extern const poslab_plugin TOY_SYMBOL;
const poslab_plugin TOY_SYMBOL = {
  .size = TOY_SIZE, .major = TOY_MAJOR, .minor = TOY_MINOR, .id = TOY_ID, .title = "Toy", .version = "1.0", .paper = "",
  .summary = "Simple sums for tests.", .formula = "gain * p", .used_in = "", .family = POSLAB_FAMILY_CONTEXTUAL,
  .least_axes = 1, .most_axes = 2, .real_positions = TOY_REAL_POSITIONS, .parameters = parameters, .parameter_count = 5, .create = create,
  .destroy = destroy, .operations = operations, .operation_count = POSLAB_OPERATION_COUNT};
