// SPDX-License-Identifier: Apache-2.0
#include "poslab/attention/codes.hpp"

namespace poslab::attention {

std::optional<base::Refusal> why_no_codes(const host::Scheme& scheme) {
  if (!scheme.looks_at_positions() || scheme.has(host::Operation::encode)) return std::nullopt;
  return "it adds no code to the embedding: it has no table of codes, one row a position";
}

template <class S>
Array<S> codes(const host::Scheme& scheme, const host::Context& context, host::Positions positions,
               std::span<const View<const S>> weights) {
  Array<S> table{positions.shape[0], scheme.model().model_width};
  if (scheme.has(host::Operation::encode)) scheme.encode<S>(context, positions, weights, table);
  return table;
}

template Array<float> codes<float>(const host::Scheme&, const host::Context&, host::Positions,
                                   std::span<const View<const float>>);
template Array<double> codes<double>(const host::Scheme&, const host::Context&, host::Positions,
                                     std::span<const View<const double>>);

}  // namespace poslab::attention
