/* SPDX-License-Identifier: Apache-2.0
 * The layout of the boundary, version 1.3, on a machine with 64-bit pointers. Structs may grow at their ends: then the
 * sizes here rise, with POSLAB_MINOR. No offset may ever change. Compiled as C11, and through layout.cpp as C++20. */
#include <poslab/plugin.h>

#ifdef __cplusplus
#define POSLAB_ASSERT(condition) static_assert(condition, #condition)
#else
#define POSLAB_ASSERT(condition) _Static_assert(condition, #condition)
#endif
#define AT(type, member, offset) POSLAB_ASSERT(offsetof(type, member) == (offset))
#define SIZE(type, bytes) POSLAB_ASSERT(sizeof(type) == (bytes))

POSLAB_ASSERT(POSLAB_MAJOR == 1 && POSLAB_MINOR == 3);

/* What is read before anything else. */
AT(poslab_plugin, size, 0);
AT(poslab_plugin, major, 4);
AT(poslab_plugin, minor, 6);

AT(poslab_plugin, id, 8);
AT(poslab_plugin, title, 16);
AT(poslab_plugin, version, 24);
AT(poslab_plugin, paper, 32);
AT(poslab_plugin, summary, 40);
AT(poslab_plugin, formula, 48);
AT(poslab_plugin, used_in, 56);
AT(poslab_plugin, family, 64);
AT(poslab_plugin, least_axes, 68);
AT(poslab_plugin, most_axes, 72);
AT(poslab_plugin, real_positions, 76);
AT(poslab_plugin, parameters, 80);
AT(poslab_plugin, parameter_count, 88);
AT(poslab_plugin, create, 96);
AT(poslab_plugin, destroy, 104);
AT(poslab_plugin, operations, 112);
AT(poslab_plugin, operation_count, 120);
SIZE(poslab_plugin, 128);

AT(poslab_instance, size, 0);
AT(poslab_instance, operations, 4);
AT(poslab_instance, self, 8);
AT(poslab_instance, claims, 16);
AT(poslab_instance, mask, 24);
AT(poslab_instance, score_writes_logits, 28);
AT(poslab_instance, logit_scale, 32);
AT(poslab_instance, lowest_position, 40);
AT(poslab_instance, highest_position, 48);
AT(poslab_instance, unique_up_to, 56);
AT(poslab_instance, weights, 64);
AT(poslab_instance, weight_count, 72);
AT(poslab_instance, inverse_frequency, 80);
AT(poslab_instance, inverse_frequency_count, 88);
AT(poslab_instance, least_axes, 96);
AT(poslab_instance, most_axes, 100);
AT(poslab_instance, sides, 104);
AT(poslab_instance, embedding_scale, 112);
AT(poslab_instance, initial_query_scale, 120);
SIZE(poslab_instance, 128);

AT(poslab_call, size, 0);
AT(poslab_call, scalar, 4);
AT(poslab_call, side, 8);
AT(poslab_call, causal, 12);
AT(poslab_call, length, 16);
AT(poslab_call, train_length, 24);
AT(poslab_call, scale, 32);
AT(poslab_call, first_query, 40);
AT(poslab_call, layer, 48);
AT(poslab_call, positions, 56);
AT(poslab_call, query_positions, 64);
AT(poslab_call, key_positions, 72);
AT(poslab_call, weights, 80);
AT(poslab_call, weight_count, 88);
AT(poslab_call, layer_input, 96);
AT(poslab_call, query, 104);
AT(poslab_call, key, 112);
AT(poslab_call, attention, 120);
AT(poslab_call, output, 128);
AT(poslab_call, output_gradient, 136);
AT(poslab_call, layer_input_gradient, 144);
AT(poslab_call, query_gradient, 152);
AT(poslab_call, key_gradient, 160);
AT(poslab_call, attention_gradient, 168);
AT(poslab_call, weight_gradients, 176);
AT(poslab_call, value, 184);
AT(poslab_call, mixed, 192);
SIZE(poslab_call, 200);

AT(poslab_parameter, size, 0);
AT(poslab_parameter, kind, 4);
AT(poslab_parameter, name, 8);
AT(poslab_parameter, unit, 16);
AT(poslab_parameter, sentence, 24);
AT(poslab_parameter, lowest, 32);
AT(poslab_parameter, highest, 40);
AT(poslab_parameter, above_lowest, 48);
AT(poslab_parameter, below_highest, 52);
AT(poslab_parameter, may_be_unset, 56);
AT(poslab_parameter, default_choice, 60);
AT(poslab_parameter, default_number, 64);
AT(poslab_parameter, choices, 72);
AT(poslab_parameter, choice_count, 80);
AT(poslab_parameter, default_list, 88);
AT(poslab_parameter, default_list_count, 96);
AT(poslab_parameter, usual, 104);
AT(poslab_parameter, usual_count, 112);
AT(poslab_parameter, role, 120);
SIZE(poslab_parameter, 128);

AT(poslab_model, size, 0);
AT(poslab_model, model_width, 8);
AT(poslab_model, heads, 16);
AT(poslab_model, head_width, 24);
AT(poslab_model, train_length, 32);
SIZE(poslab_model, 40);

AT(poslab_weight, size, 0);
AT(poslab_weight, rank, 4);
AT(poslab_weight, name, 8);
AT(poslab_weight, shape, 16);
AT(poslab_weight, per_layer, 48);
AT(poslab_weight, initialisation, 52);
AT(poslab_weight, first, 56);
AT(poslab_weight, second, 64);
AT(poslab_weight, sentence, 72);
AT(poslab_weight, frozen, 80);
SIZE(poslab_weight, 88);

/* Indexed, so these may never grow. */
AT(poslab_view, data, 0);
AT(poslab_view, scalar, 8);
AT(poslab_view, rank, 12);
AT(poslab_view, shape, 16);
SIZE(poslab_view, 48);
AT(poslab_value, is_set, 0);
AT(poslab_value, choice, 4);
AT(poslab_value, integer, 8);
AT(poslab_value, real, 16);
AT(poslab_value, list, 24);
AT(poslab_value, list_count, 32);
SIZE(poslab_value, 40);
AT(poslab_operation_pair, forward, 0);
AT(poslab_operation_pair, gradient, 8);
SIZE(poslab_operation_pair, 16);
SIZE(poslab_error, 1024);
AT(poslab_error, text, 4);

/* The numbers that cross. */
POSLAB_ASSERT(POSLAB_OK == 0 && POSLAB_REFUSED == 1 && POSLAB_OUT_OF_RANGE == 2 && POSLAB_FAILED == 3);
POSLAB_ASSERT(POSLAB_F32 == 1 && POSLAB_F64 == 2);
POSLAB_ASSERT(POSLAB_REAL == 1 && POSLAB_INTEGER == 2 && POSLAB_CHOICE == 3 && POSLAB_FLAG == 4 && POSLAB_LIST == 5);
POSLAB_ASSERT(POSLAB_ROLE_NONE == 0 && POSLAB_ROLE_BASE == 1 && POSLAB_ROLE_FACTOR == 2 && POSLAB_ROLE_START == 3);
POSLAB_ASSERT(POSLAB_ROLE_ROTARY_WIDTH == 4 && POSLAB_ROLE_PLANES == 5 && POSLAB_ROLE_PAIRING == 6);
POSLAB_ASSERT(POSLAB_ENCODE == 0 && POSLAB_TRANSFORM == 1 && POSLAB_BIAS == 2 && POSLAB_SCORE == 3 && POSLAB_MIX == 4);
POSLAB_ASSERT(POSLAB_CONSTANT == 1 && POSLAB_NORMAL == 2 && POSLAB_UNIFORM == 3);
POSLAB_ASSERT(POSLAB_QUERY == 0 && POSLAB_KEY == 1 && POSLAB_VALUE == 2 && POSLAB_OUTPUT == 3);
POSLAB_ASSERT(POSLAB_ANY_MASK == 0 && POSLAB_CAUSAL_ONLY == 1 && POSLAB_BIDIRECTIONAL_ONLY == 2);
POSLAB_ASSERT(POSLAB_ISOMETRY == 1 && POSLAB_RELATIVE == 2 && POSLAB_CONTENT_FREE == 4 && POSLAB_LENGTH_FREE == 8);
POSLAB_ASSERT(POSLAB_BOUNDED == 16 && POSLAB_SYMMETRIC == 32 && POSLAB_CONSTANT_NORM == 64 && POSLAB_MAY_BE_INFINITE == 128);
