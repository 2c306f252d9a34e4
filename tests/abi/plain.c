/* SPDX-License-Identifier: Apache-2.0
 * A scheme in plain C, as small as it gets: bias = -gain * |query - key|, gain learnable and shared by the heads. */
#include <math.h>
#include <poslab/plugin.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct plain {
  poslab_weight gain;
  const poslab_weight *weights[1];
} plain;

static int32_t create(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error) {
  (void)model;
  if (instance->size < sizeof *instance) {
    error->code = POSLAB_REFUSED;
    snprintf(error->text, sizeof error->text, "this host is too old");
    return POSLAB_REFUSED;
  }
  plain *self = calloc(1, sizeof *self);
  if (!self) return POSLAB_FAILED;
  self->gain = (poslab_weight){.size = sizeof self->gain, .name = "gain", .shape = {1, 1, 1, 1},
    .initialisation = POSLAB_CONSTANT, .first = values[0].real, .sentence = "slope of every head"};
  self->weights[0] = &self->gain;
  instance->self = self;
  instance->operations = 1u << POSLAB_BIAS;
  instance->claims = POSLAB_RELATIVE | POSLAB_SYMMETRIC | POSLAB_CONTENT_FREE | POSLAB_LENGTH_FREE;
  instance->weights = self->weights;
  instance->weight_count = 1;
  return POSLAB_OK;
}

static void destroy(void *self) { free(self); }

static double get(const poslab_view *view, int64_t i) {
  return view->scalar == POSLAB_F32 ? (double)((const float *)view->data)[i] : ((const double *)view->data)[i];
}
static void put(const poslab_view *view, int64_t i, double x) {
  if (view->scalar == POSLAB_F32) ((float *)view->data)[i] = (float)x;
  else ((double *)view->data)[i] = x;
}
static double distance(const poslab_call *call, int64_t at) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0];
  return fabs(get(call->query_positions, at / Nk % Nq) - get(call->key_positions, at % Nk));
}
static int64_t count(const poslab_view *tile) { return tile->shape[0] * tile->shape[1] * tile->shape[2]; }

static int32_t bias(const void *self, const poslab_call *call, poslab_error *error) {
  (void)self, (void)error;
  for (int64_t i = 0; i < count(call->output); ++i) put(call->output, i, -get(call->weights[0], 0) * distance(call, i));
  return POSLAB_OK;
}

static int32_t bias_gradient(const void *self, const poslab_call *call, poslab_error *error) {
  (void)self, (void)error;
  if (!call->weight_gradients || !call->weight_gradients[0]) return POSLAB_OK;
  double sum = 0;
  for (int64_t i = 0; i < count(call->output_gradient); ++i) sum -= get(call->output_gradient, i) * distance(call, i);
  put(call->weight_gradients[0], 0, get(call->weight_gradients[0], 0) + sum);
  return POSLAB_OK;
}

static const poslab_parameter gain = {.size = sizeof gain, .kind = POSLAB_REAL, .name = "gain", .unit = "1",
  .sentence = "the slope at the start", .lowest = 0, .highest = INFINITY, .default_number = 0.5};
static const poslab_parameter *const parameters[] = {&gain};
static const poslab_operation_pair operations[POSLAB_OPERATION_COUNT] = {[POSLAB_BIAS] = {bias, bias_gradient}};

POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1;
const poslab_plugin poslab_plugin_v1 = {
  .size = sizeof poslab_plugin_v1, .major = POSLAB_MAJOR, .minor = POSLAB_MINOR, .id = "plain", .title = "Plain C",
  .version = "1.0", .paper = "", .summary = "Distance in plain C.", .formula = "-gain |i - j|", .used_in = "",
  .family = POSLAB_FAMILY_BIAS, .least_axes = 1, .most_axes = 1, .real_positions = 1,
  .parameters = parameters, .parameter_count = 1, .create = create, .destroy = destroy,
  .operations = operations, .operation_count = POSLAB_OPERATION_COUNT};
