/* SPDX-License-Identifier: Apache-2.0
 * A rotation in plain C, of queries and keys alone: built with the header of today, and with that of 1.0, which knew no
 * other sides. Channels 2m and 2m + 1 turn by position / (m + 1). */
#include <math.h>
#include <poslab/plugin.h>

static int32_t create(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error) {
  (void)values, (void)model, (void)error;
  static int one;
  instance->self = &one;
  instance->operations = 1u << POSLAB_TRANSFORM;
  instance->claims = POSLAB_ISOMETRY | POSLAB_RELATIVE | POSLAB_CONTENT_FREE | POSLAB_LENGTH_FREE | POSLAB_BOUNDED;
  return POSLAB_OK;
}

static void destroy(void *self) { (void)self; }

static void turn(const poslab_call *call, double direction) {
  const poslab_view *x = call->output;
  const int64_t H = x->shape[0], N = x->shape[1], K = x->shape[2];
  for (int64_t row = 0; row < H * N; ++row)
    for (int64_t m = 0; m < K / 2; ++m) {
      const double angle = ((const double *)call->positions->data)[row % N] / (double)(m + 1);
      const double c = cos(angle), s = direction * sin(angle);
      const int64_t at = row * K + 2 * m;
      if (x->scalar == POSLAB_F32) {
        float *pair = (float *)x->data + at;
        const double a = pair[0], b = pair[1];
        pair[0] = (float)(a * c - b * s), pair[1] = (float)(a * s + b * c);
      } else {
        double *pair = (double *)x->data + at;
        const double a = pair[0], b = pair[1];
        pair[0] = a * c - b * s, pair[1] = a * s + b * c;
      }
    }
}
static int32_t forward(const void *self, const poslab_call *call, poslab_error *error) {
  (void)self, (void)error;
  turn(call, 1);
  return POSLAB_OK;
}
static int32_t backward(const void *self, const poslab_call *call, poslab_error *error) {
  (void)self, (void)error;
  turn(call, -1);
  return POSLAB_OK;
}

static const poslab_operation_pair operations[POSLAB_OPERATION_COUNT] = {[POSLAB_TRANSFORM] = {forward, backward}};

POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1;
const poslab_plugin poslab_plugin_v1 = {
  .size = sizeof poslab_plugin_v1, .major = POSLAB_MAJOR, .minor = POSLAB_MINOR, .id = "turns", .title = "Turns in plain C",
  .version = "1.0", .paper = "", .summary = "Rotates in plain C.", .formula = "Rot(p / (m + 1))", .used_in = "",
  .family = POSLAB_FAMILY_ROTARY, .least_axes = 1, .most_axes = 1, .real_positions = 1,
  .create = create, .destroy = destroy, .operations = operations, .operation_count = POSLAB_OPERATION_COUNT};
