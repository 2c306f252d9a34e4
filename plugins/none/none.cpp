// SPDX-License-Identifier: Apache-2.0
// No positional encoding: what every other scheme is compared with.
#include <poslab/scheme.hpp>
using namespace poslab;

struct None {
  static constexpr Card card{.id = "none",
                             .title = "No positional encoding",
                             .version = "1.0",
                             .paper = "Kazemnejad et al. 2023, arXiv:2305.19466",
                             .summary = "Nothing is added anywhere; only a causal mask tells positions apart.",
                             .formula = "logit = q . k / sqrt(K)",
                             .used_in = "every fourth layer of Llama 4",
                             .real_positions = true,
                             .family = Family::none};
  static constexpr Traits traits = Traits().claims(relative | content_free | length_free | bounded | symmetric);
};
POSLAB_SCHEME(None)
