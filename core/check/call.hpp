// SPDX-License-Identifier: Apache-2.0
// One raw call of a plugin's operation: its numbers, and what came back. Nothing is checked on the way, so that the
// plugin itself is seen and not the host. Dimension letters as in plugin.h.
#pragma once

#include <string>
#include <vector>

#include "block.hpp"
#include "memory.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/plugin.h"

namespace poslab::check {

using host::Operation;

/// All that a call brings; blocks that are not there (rank 0) travel as null.
struct Call {
  Operation operation = Operation::encode;
  bool gradient = false;
  int scalar = POSLAB_F64;
  int side = POSLAB_QUERY;
  bool causal = false;
  Index length = 0, train_length = 0, first_query = 0;
  double scale = 1;
  Block positions, query_positions, key_positions;
  std::vector<Block> weights;
  Block layer_input, query, key, attention;
  Block output, output_gradient;
  Block layer_input_gradient, query_gradient, key_gradient, attention_gradient;
  std::vector<Block> weight_gradients;  ///< empty: none is wanted
};

/// Every array of a call with its name in plugin.h. Outputs come back; inputs come back too, to see whether they
/// changed.
struct Member {
  std::string name;
  Block* block;
  bool is_output;
};
std::vector<Member> members_of(Call& call);

struct Answer {
  int status = POSLAB_OK;
  std::string text;  ///< of the error, as far as it ends with 0
  bool text_ends = true;
  std::int32_t code = 0;        ///< as the plugin wrote it into the error
  std::string thrown;           ///< an exception that came across; empty: none
  std::string written_outside;  ///< see Memory
  std::string changed_input;    ///< the name of an input that came back changed; empty: none
  bool ok() const { return status == POSLAB_OK && thrown.empty(); }
  std::string words() const;  ///< "refused: ..." for a message
};

/// Makes the call; its outputs are replaced by what the plugin wrote.
Answer perform(const poslab_plugin& table, const void* self, Call& call, const Guard& guard = {});

/// Rounds every number but positions to float, so that float and double calls get the same.
void round_to_float(Call& call);

/// "gradient of bias"
std::string name_of(const Call& call);

}  // namespace poslab::check
