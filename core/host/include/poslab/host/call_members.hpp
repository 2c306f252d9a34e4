// SPDX-License-Identifier: Apache-2.0
// The members of poslab_call that are arrays, in the order of plugin.h, once for all who lay out a call.
#pragma once

/// Each macro is handed a member:
/// VIEW(member, is_written): a pointer to one view. `is_written`: the plugin writes into it; else it only reads it.
/// LIST(member, is_written): a pointer to a list of views.
/// COUNT(member): how many views the lists have.
#define POSLAB_CALL_MEMBERS(VIEW, LIST, COUNT) \
  VIEW(positions, false)                       \
  VIEW(query_positions, false)                 \
  VIEW(key_positions, false)                   \
  LIST(weights, false)                         \
  COUNT(weight_count)                          \
  VIEW(layer_input, false)                     \
  VIEW(query, false)                           \
  VIEW(key, false)                             \
  VIEW(attention, false)                       \
  VIEW(output, true)                           \
  VIEW(output_gradient, false)                 \
  VIEW(layer_input_gradient, true)             \
  VIEW(query_gradient, true)                   \
  VIEW(key_gradient, true)                     \
  VIEW(attention_gradient, true)               \
  LIST(weight_gradients, true)                 \
  VIEW(value, false)                           \
  VIEW(mixed, false)
