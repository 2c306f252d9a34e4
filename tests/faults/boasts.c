/* SPDX-License-Identifier: Apache-2.0
 * Declares weights of sizes and with words that nobody can take, or says such words when it is called, as `mode` says. */
#include <poslab/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENCODER_ID "boasts"
#define ENCODER_PARAMETERS parameters
#define ENCODER_PARAMETER_COUNT 1
#define ENCODER_CREATE refuse
#define ENCODER_ENCODE fail
#define ENCODER_DECLARE declare

/* A red word, a line that looks like poslab's own, a word turned round, a byte that is no UTF-8. */
#define EVIL "\033[31mred\nposlab: all is well\xE2\x80\xAE" "desrever\xE2\x80\xA8\xFF"

enum mode {
  PLAIN, SQUARE, LONG_LINE, OVERFLOW_TO_ONE, FOUR_AXES, NEGATIVE, EMPTY, RANK, MANY_WEIGHTS, MANY_FREQUENCIES, LONG_NAME,
  LONG_SENTENCE, EVIL_NAME, EVIL_SENTENCE, EVIL_REFUSAL, EVIL_FAILURE, EVIL_LAST_WORDS
};
static const char *const modes[] = {
  "plain", "square", "long_line", "overflow_to_one", "four_axes", "negative", "empty", "rank", "many_weights",
  "many_frequencies", "long_name", "long_sentence", "evil_name", "evil_sentence", "evil_refusal", "evil_failure",
  "evil_last_words"};
static const poslab_parameter mode = {.size = sizeof mode, .kind = POSLAB_CHOICE, .name = "mode", .unit = "1",
  .sentence = "what is declared", .choices = modes, .choice_count = sizeof modes / sizeof *modes};
static const poslab_parameter *const parameters[] = {&mode};

static int32_t say(poslab_error *error, int32_t code) {
  error->code = code;
  snprintf(error->text, sizeof error->text, "%s", EVIL);
  return code;
}

static int32_t refuse(const poslab_value *values, poslab_error *error) {
  return values[0].choice == EVIL_REFUSAL ? say(error, POSLAB_REFUSED) : POSLAB_OK;
}

static int32_t fail(const poslab_value *values, const poslab_call *call, poslab_error *error) {
  (void)call;
  if (values[0].choice == EVIL_LAST_WORDS) {
    fputs(EVIL, stderr);
    abort();
  }
  return values[0].choice == EVIL_FAILURE ? say(error, POSLAB_FAILED) : POSLAB_OK;
}

/* A weight for each mode: `create` may be called from several threads for several variants. */
static poslab_weight weights[sizeof modes / sizeof *modes];
static const poslab_weight *one[sizeof modes / sizeof *modes], *many[POSLAB_MOST_WEIGHTS + 1];
static char words[2][POSLAB_LONGEST_SENTENCE + 2];

static void set_shape(poslab_weight *weight, int rank, int64_t a, int64_t b, int64_t c, int64_t d) {
  weight->rank = rank;
  weight->shape[0] = a, weight->shape[1] = b, weight->shape[2] = c, weight->shape[3] = d;
}

static void declare(const poslab_value *values, poslab_instance *instance) {
  const int32_t choice = values[0].choice;
  poslab_weight *weight = &weights[choice];
  *weight = (poslab_weight){.size = sizeof *weight, .rank = 1, .name = "w", .shape = {1, 1, 1, 1},
    .initialisation = POSLAB_CONSTANT, .sentence = "a weight"};
  one[choice] = weight;
  if (choice == PLAIN || choice >= EVIL_REFUSAL) return;
  instance->weights = &one[choice], instance->weight_count = 1;
  memset(words[0], 'w', POSLAB_LONGEST_NAME + 1);
  memset(words[1], 'w', POSLAB_LONGEST_SENTENCE + 1);
  switch (choice) {
    case SQUARE: set_shape(weight, 2, INT64_C(1) << 32, INT64_C(1) << 32, 1, 1); break;
    case LONG_LINE: set_shape(weight, 1, INT64_C(1) << 62, 1, 1, 1); break;
    case OVERFLOW_TO_ONE: set_shape(weight, 2, 3, INT64_C(0x2AAAAAAAAAAAAAAB), 1, 1); break; /* 1 mod 2^63 */
    case FOUR_AXES: set_shape(weight, 4, 1 << 16, 1 << 16, 1 << 16, 1 << 16); break;
    case NEGATIVE: set_shape(weight, 2, -1, -8, 1, 1); break;
    case EMPTY: set_shape(weight, 2, 0, INT64_C(1) << 62, 1, 1); break;
    case RANK: weight->rank = 1 << 30; break;
    case MANY_WEIGHTS: instance->weights = many, instance->weight_count = POSLAB_MOST_WEIGHTS + 1; break; /* null ones */
    case MANY_FREQUENCIES: {
      static const double frequency = 1;
      instance->weight_count = 0;
      instance->inverse_frequency = &frequency, instance->inverse_frequency_count = INT64_C(1) << 61;
      break;
    }
    case LONG_NAME: weight->name = words[0]; break;
    case LONG_SENTENCE: weight->sentence = words[1]; break;
    case EVIL_NAME: weight->name = EVIL; break;
    case EVIL_SENTENCE: weight->sentence = EVIL; break;
    default: break;
  }
}

#include "encoder.h"
