/* SPDX-License-Identifier: Apache-2.0
 * For plugins that are wrong as processes, not as schemes: an encoding whose channel c at position p is p + c / D, right and
 * unique. ENCODER_ID, ENCODER_PARAMETERS and ENCODER_PARAMETER_COUNT name it; ENCODER_CREATE, ENCODER_DESTROY and ENCODER_ENCODE do harm. */
#include <poslab/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ENCODER_PARAMETERS
#define ENCODER_PARAMETERS NULL
#define ENCODER_PARAMETER_COUNT 0
#endif
/* int32_t ENCODER_CREATE(values, error), int32_t ENCODER_ENCODE(values, call, error): another status than OK is the answer. */
#ifndef ENCODER_CREATE
#define ENCODER_CREATE(values, error) POSLAB_OK
#endif
#ifndef ENCODER_DESTROY
#define ENCODER_DESTROY(values) (void)0
#endif
#ifndef ENCODER_ENCODE
#define ENCODER_ENCODE(values, call, error) POSLAB_OK
#endif

/* void ENCODER_DECLARE(values, instance): what the instance says beside that. */
#ifndef ENCODER_DECLARE
#define ENCODER_DECLARE(values, instance) (void)0
#endif
#ifndef ENCODER_TITLE
#define ENCODER_TITLE "Encoder for tests"
#endif

typedef struct encoder {
  int64_t D;
  poslab_value values[8]; /* of the parameters: none of them is a list */
} encoder;

static int32_t create(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error) {
  (void)error;
  const int32_t refusal = ENCODER_CREATE(values, error);
  if (refusal != POSLAB_OK) return refusal;
  encoder *self = calloc(1, sizeof *self);
  if (!self) return POSLAB_FAILED;
  self->D = model->model_width;
  for (int i = 0; i < ENCODER_PARAMETER_COUNT; ++i) self->values[i] = values[i];
  instance->self = self;
  instance->operations = 1u << POSLAB_ENCODE;
  instance->claims = POSLAB_LENGTH_FREE;
  instance->highest_position = INFINITY;
  ENCODER_DECLARE(values, instance);
  return POSLAB_OK;
}

static void destroy(void *opaque) {
  encoder *self = opaque;
  if (self) ENCODER_DESTROY(self->values);
  free(self);
}

static int32_t encode(const void *opaque, const poslab_call *call, poslab_error *error) {
  (void)error;
  const encoder *self = opaque;
  const int64_t N = call->positions->shape[0], A = call->positions->shape[1];
  const double *positions = call->positions->data;
  for (int64_t i = 0; i < N * self->D; ++i) {
    const double x = positions[i / self->D * A] + (double)(i % self->D) / (double)self->D;
    if (call->scalar == POSLAB_F32) ((float *)call->output->data)[i] = (float)x;
    else ((double *)call->output->data)[i] = x;
  }
  return ENCODER_ENCODE(self->values, call, error);
}

static int32_t encode_gradient(const void *self, const poslab_call *call, poslab_error *error) {
  (void)self, (void)call, (void)error;
  return POSLAB_OK; /* it has no weights */
}

static const poslab_operation_pair operations[POSLAB_OPERATION_COUNT] = {[POSLAB_ENCODE] = {encode, encode_gradient}};

POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1;
const poslab_plugin poslab_plugin_v1 = {
  .size = sizeof poslab_plugin_v1, .major = POSLAB_MAJOR, .minor = POSLAB_MINOR, .id = ENCODER_ID, .title = ENCODER_TITLE,
  .version = "1.0", .paper = "", .summary = "The position itself.", .formula = "p + c / D", .used_in = "",
  .family = POSLAB_FAMILY_ADDITIVE, .least_axes = 1, .most_axes = 1, .real_positions = 1,
  .parameters = ENCODER_PARAMETERS, .parameter_count = ENCODER_PARAMETER_COUNT, .create = create, .destroy = destroy,
  .operations = operations, .operation_count = POSLAB_OPERATION_COUNT};
