// SPDX-License-Identifier: Apache-2.0
// One raw call of a plugin's operation: its numbers, and what came back. Nothing is checked on the way, so that the
// plugin itself is seen and not the host. Dimension letters as in plugin.h.
#pragma once

#include <string>
#include <vector>

#include "calls/memory.hpp"
#include "calls/tensor.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/plugin.h"

namespace poslab::check {

using host::Operation;

/// All that a call brings; tensors that do not exist cross as null.
struct Call {
  Operation operation = Operation::encode;
  bool gradient = false;
  int scalar = POSLAB_F64;
  int side = POSLAB_QUERY;
  bool causal = false;
  Index layer = 0;
  Index length = 0, train_length = 0, first_query = 0;
  double scale = 1;
  Tensor positions, query_positions, key_positions;
  std::vector<Tensor> weights;
  Tensor layer_input, query, key, value, mixed, attention;
  Tensor output, output_gradient;
  Tensor layer_input_gradient, query_gradient, key_gradient, attention_gradient;
  std::vector<Tensor> weight_gradients;  ///< empty: not asked for
  /// For the gradient of `transform`: where x before it is, of the call's side.
  Tensor& before();
};

/// Every array of a call with its name in plugin.h. Outputs come back; inputs come back too, to see whether they
/// changed.
struct Member {
  std::string name;
  Tensor* tensor;
  bool is_output;
  const poslab_view* poslab_call::*place = nullptr;  ///< null: an entry of a list of weights
};
std::vector<Member> members_of(Call& call);
bool is_positions(const Call& call, const Tensor* tensor);

struct CallResult {
  int status = POSLAB_OK;
  std::string text;  ///< of the error, as far as it ends with 0
  bool text_ends = true;
  std::string thrown;  ///< an exception that crossed the boundary; empty: none
  std::optional<OutsideAccess> written_outside;
  std::string changed_input;  ///< the name of an input that came back changed; empty: none
  bool ok() const { return status == POSLAB_OK && thrown.empty(); }
  std::string text_of_status() const;  ///< "answered 1: no such style"
};

/// Makes the call; its outputs are replaced by what the plugin wrote. `on_fault` hears of an access to guard pages
/// before the process dies of it.
CallResult invoke(const poslab_plugin& table, const void* self, Call& call, Guard guard = Guard::none,
                  const FaultReport& on_fault = {});

/// What a plugin gets to write a reason into; it must end its text itself.
poslab_error blank_error();

/// Rounds every number but positions to float, so that float and double calls get the same.
void round_to_float(Call& call);

/// "gradient of bias"
std::string name_of(const Call& call);
/// "gradient of bias in float64"
std::string call_text(const Call& call);
/// " under a causal mask, in layer 1", as far as it is so.
std::string conditions_text(const Call& call);
/// "positions -3 to 1024"
std::string positions_text(const Call& call);

}  // namespace poslab::check
