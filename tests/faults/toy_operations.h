/* SPDX-License-Identifier: Apache-2.0
 * The toy's operations for one scalar S. Included twice by toy.c; no guard. */

static S *FOR_SCALAR(numbers)(const poslab_view *view) { return view ? (S *)view->data : NULL; }
#define numbers FOR_SCALAR(numbers)

/* Spoils the last number, as `mode` asks; or tells in it what else the call brought. */
static void FOR_SCALAR(spoil)(const toy *self, const poslab_call *call, const poslab_view *view) {
  const int64_t count = view->shape[0] * view->shape[1] * view->shape[2] * view->shape[3];
  if (count == 0) return;
  if (self->mode == GIVES_NAN) numbers(view)[count - 1] = (S)NAN;
  if (self->mode == GIVES_INFINITY) numbers(view)[count - 1] = (S)INFINITY;
  if (self->mode == MASKS) numbers(view)[count - 1] = (S)-INFINITY;
  if (self->mode == TELLS_CONTEXT)
    numbers(view)[count - 1] = (S)(call->causal + 10 * call->layer + 100 * call->first_query + 1000 * call->length + 100000 * call->train_length);
}

static void FOR_SCALAR(encode)(const toy *self, const poslab_call *call) {
  const int64_t N = call->positions->shape[0], A = call->positions->shape[1];
  const double *positions = call->positions->data;
  S *out = numbers(call->output);
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; c < self->D; ++c) out[n * self->D + c] = (S)(self->gain * positions[n * A]) + numbers(call->weights[0])[c];
  FOR_SCALAR(spoil)(self, call, call->output);
}

static void FOR_SCALAR(encode_gradient)(const toy *self, const poslab_call *call) {
  const int64_t N = call->positions->shape[0];
  if (!call->weight_gradients || !call->weight_gradients[0]) return;
  for (int64_t n = 0; n < N; ++n)
    for (int64_t c = 0; c < self->D; ++c)
      numbers(call->weight_gradients[0])[c] += numbers(call->output_gradient)[n * self->D + c];
  FOR_SCALAR(spoil)(self, call, call->weight_gradients[0]);
}

static void FOR_SCALAR(transform)(const toy *self, const poslab_call *call) {
  const int64_t N = call->positions->shape[0], A = call->positions->shape[1];
  const double *positions = call->positions->data;
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t n = 0; n < N; ++n)
      for (int64_t k = 0; k < self->K; ++k)
        numbers(call->output)[(h * N + n) * self->K + k] *= (S)((call->side == POSLAB_QUERY ? 2 : 3) * positions[n * A]);
}

static void FOR_SCALAR(bias)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0], A = call->key_positions->shape[1];
  const double *query = call->query_positions->data, *key = call->key_positions->data;
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i)
      for (int64_t j = 0; j < Nk; ++j)
        numbers(call->output)[(h * Nq + i) * Nk + j] = numbers(call->weights[1])[h] * (S)(query[i * A] - key[j * A]);
  FOR_SCALAR(spoil)(self, call, call->output);
}

static void FOR_SCALAR(bias_gradient)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0], A = call->key_positions->shape[1];
  const double *query = call->query_positions->data, *key = call->key_positions->data;
  if (!call->weight_gradients || !call->weight_gradients[1]) return;
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i)
      for (int64_t j = 0; j < Nk; ++j)
        numbers(call->weight_gradients[1])[h] += numbers(call->output_gradient)[(h * Nq + i) * Nk + j] * (S)(query[i * A] - key[j * A]);
}

static void FOR_SCALAR(score)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0];
  const S *x = numbers(call->layer_input), *q = numbers(call->query);
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i) {
      S sum = 0;
      for (int64_t k = 0; k < self->K; ++k) sum += q[(h * Nq + i) * self->K + k];
      for (int64_t j = 0; j < Nk; ++j)
        numbers(call->output)[(h * Nq + i) * Nk + j] += (S)call->scale * sum + (x ? x[j * self->D] : 0);
    }
}

static void FOR_SCALAR(score_gradient)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0];
  S *x = numbers(call->layer_input_gradient), *q = numbers(call->query_gradient);
  const S *from = numbers(call->output_gradient);
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i)
      for (int64_t j = 0; j < Nk; ++j, ++from) {
        if (x) x[j * self->D] += *from;
        for (int64_t k = 0; q && k < self->K; ++k) q[(h * Nq + i) * self->K + k] += (S)call->scale * *from;
      }
}

static void FOR_SCALAR(mix)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0], A = call->key_positions->shape[1];
  const double *key = call->key_positions->data;
  const S *attention = numbers(call->attention);
  for (int64_t h = 0; h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i)
      for (int64_t j = 0; j < Nk; ++j)
        for (int64_t k = 0; k < self->K; ++k)
          numbers(call->output)[(h * Nq + i) * self->K + k] += attention[(h * Nq + i) * Nk + j] * (S)key[j * A];
}

static void FOR_SCALAR(mix_gradient)(const toy *self, const poslab_call *call) {
  const int64_t Nq = call->query_positions->shape[0], Nk = call->key_positions->shape[0], A = call->key_positions->shape[1];
  const double *key = call->key_positions->data;
  S *attention = numbers(call->attention_gradient);
  for (int64_t h = 0; attention && h < self->H; ++h)
    for (int64_t i = 0; i < Nq; ++i)
      for (int64_t j = 0; j < Nk; ++j)
        for (int64_t k = 0; k < self->K; ++k)
          attention[(h * Nq + i) * Nk + j] += numbers(call->output_gradient)[(h * Nq + i) * self->K + k] * (S)key[j * A];
}
#undef numbers
