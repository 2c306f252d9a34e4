/* SPDX-License-Identifier: Apache-2.0
 * A plugin in plain C that uses what its minor has: every kind of parameter, a weight, encode, transform and bias with
 * gradients. Built once for each kept minor (kept.md); its numbers are sums, products and quotients alone. */
#include <poslab/plugin.h>
#include <stdlib.h>

typedef struct kept {
  double rate;
  int64_t first;
  int reversed, doubled;
  double steps[8];
  int64_t step_count;
  poslab_weight gain;
  const poslab_weight *weights[1];
} kept;

static int32_t create(const poslab_value *values, const poslab_model *model, poslab_instance *instance, poslab_error *error) {
  (void)error;
  kept *self = calloc(1, sizeof *self);
  if (!self) return POSLAB_OUT_OF_MEMORY;
  self->rate = values[0].real;
  self->first = values[1].integer;
  self->reversed = values[2].choice;
  self->doubled = values[3].choice;
  if (values[4].is_set)
    for (self->step_count = 0; self->step_count < values[4].list_count && self->step_count < 8; ++self->step_count)
      self->steps[self->step_count] = values[4].list[self->step_count];
  self->gain = (poslab_weight){.size = sizeof self->gain, .rank = 1, .name = "gain", .shape = {model->heads, 1, 1, 1},
    .initialisation = POSLAB_CONSTANT, .first = 0.75, .sentence = "slope of a head"};
  self->weights[0] = &self->gain;
  instance->self = self;
  instance->operations = 1u << POSLAB_ENCODE | 1u << POSLAB_TRANSFORM | 1u << POSLAB_BIAS;
  instance->weights = self->weights;
  instance->weight_count = 1;
#if POSLAB_MINOR >= 1
  instance->sides = 1u << POSLAB_KEY | 1u << POSLAB_VALUE | 1u << POSLAB_OUTPUT;
#endif
#if POSLAB_MINOR >= 2
  instance->embedding_scale = 3;
  instance->initial_query_scale = 0.25;
#endif
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
static double share(const kept *self, double position, int64_t channel) { /* falls with the distance */
  const double at = self->rate * (position + (double)self->first);
  const double step = self->step_count > 0 ? self->steps[channel % self->step_count] : 1;
  return (self->doubled ? 2 : 1) / (1 + at * at * step / (double)(channel + 1));
}

static int32_t encode(const void *of, const poslab_call *call, poslab_error *error) {
  (void)error;
  const int64_t N = call->output->shape[0], D = call->output->shape[1];
  for (int64_t n = 0; n < N; ++n)
    for (int64_t d = 0; d < D; ++d) put(call->output, n * D + d, share(of, get(call->positions, n), d));
  return POSLAB_OK;
}
static int32_t no_gradient(const void *of, const poslab_call *call, poslab_error *error) {
  (void)of, (void)call, (void)error;
  return POSLAB_OK;
}
static int32_t scale(const void *of, const poslab_call *call, poslab_error *error) { /* its own transpose */
  (void)error;
  const int64_t H = call->output->shape[0], N = call->output->shape[1], K = call->output->shape[2];
  for (int64_t i = 0; i < H * N * K; ++i)
    put(call->output, i, get(call->output, i) * (share(of, get(call->positions, i / K % N), i % K) + call->side));
  return POSLAB_OK;
}
static double distance(const kept *self, const poslab_call *call, int64_t query, int64_t key) {
  const double offset = get(call->key_positions, key) - get(call->query_positions, query);
  return self->reversed ? -offset : offset;
}
static int32_t bias(const void *of, const poslab_call *call, poslab_error *error) {
  (void)error;
  const int64_t H = call->output->shape[0], Nq = call->output->shape[1], Nk = call->output->shape[2];
  for (int64_t h = 0; h < H; ++h)
    for (int64_t q = 0; q < Nq; ++q)
      for (int64_t k = 0; k < Nk; ++k)
        put(call->output, (h * Nq + q) * Nk + k, get(call->weights[0], h) * distance(of, call, q, k));
  return POSLAB_OK;
}
static int32_t bias_gradient(const void *of, const poslab_call *call, poslab_error *error) {
  (void)error;
  if (!call->weight_gradients || !call->weight_gradients[0]) return POSLAB_OK;
  const poslab_view *g = call->output_gradient;
  for (int64_t h = 0; h < g->shape[0]; ++h) {
    double sum = get(call->weight_gradients[0], h);
    for (int64_t q = 0; q < g->shape[1]; ++q)
      for (int64_t k = 0; k < g->shape[2]; ++k)
        sum += get(g, (h * g->shape[1] + q) * g->shape[2] + k) * distance(of, call, q, k);
    put(call->weight_gradients[0], h, sum);
  }
  return POSLAB_OK;
}

static const double steps[] = {1, 0.5};
static const char *const orders[] = {"forward", "reversed"};
#define PARAMETER(kind_, name_, ...) {.size = sizeof(poslab_parameter), .kind = kind_, .name = name_, .unit = "1", \
  .sentence = "a parameter", .lowest = 0, .highest = 1000, __VA_ARGS__}
static const poslab_parameter rate = PARAMETER(POSLAB_REAL, "rate", .default_number = 0.125),
  first = PARAMETER(POSLAB_INTEGER, "first", .default_number = 3),
  order = PARAMETER(POSLAB_CHOICE, "order", .choices = orders, .choice_count = 2),
  doubled = PARAMETER(POSLAB_FLAG, "doubled", .default_choice = 1),
  step = PARAMETER(POSLAB_LIST, "steps", .may_be_unset = 1, .default_list = steps, .default_list_count = 2);
static const poslab_parameter *const parameters[] = {&rate, &first, &order, &doubled, &step};
static const poslab_operation_pair operations[POSLAB_OPERATION_COUNT] = {
  [POSLAB_ENCODE] = {encode, no_gradient}, [POSLAB_TRANSFORM] = {scale, scale}, [POSLAB_BIAS] = {bias, bias_gradient}};

POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1;
const poslab_plugin poslab_plugin_v1 = {
  .size = sizeof poslab_plugin_v1, .major = POSLAB_MAJOR, .minor = POSLAB_MINOR, .id = "kept-c", .title = "Kept, in C",
  .version = "1.0", .paper = "", .summary = "Shares in plain C.", .formula = "1 / (1 + a^2)", .used_in = "",
  .family = POSLAB_FAMILY_BIAS, .least_axes = 1, .most_axes = 1, .real_positions = 1,
  .parameters = parameters, .parameter_count = 5, .create = create, .destroy = destroy,
  .operations = operations, .operation_count = POSLAB_OPERATION_COUNT};
