// SPDX-License-Identifier: Apache-2.0
// One token, repeated, on its way through a causal stack.
// Dimension letters: N tokens, H heads.
#pragma once

#include <vector>

#include "poslab/base/array.hpp"
#include "repeated-token.hpp"

namespace poslab::experiments::repeated_token {

using base::Array;
using base::View;

/// What one layer does.
struct Repetition {
  double even_deviation = 0, bias_deviation = 0, state_deviation = 0;
  Array<double> last_attention;  ///< [H, N]
};

/// One entry a layer, up to the deepest that is measured.
std::vector<Repetition> repeat_token(const RepeatedToken& at, const ExperimentInput& input,
                                     const host::Weights<double>& weights);

/// max_i |x_i - x_0| over the root mean square of |x_i|, of rows [N, D]; 0 where all are 0.
double spread_of_rows(View<const double> rows);

}  // namespace poslab::experiments::repeated_token
