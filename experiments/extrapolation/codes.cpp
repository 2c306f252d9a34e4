// SPDX-License-Identifier: Apache-2.0
#include "codes.hpp"

#include <algorithm>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiments/precision.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using attention::OffsetContext;
using attention::SignatureKind;

// Whether the code of a position or offset is the same in every context that holds it: then that of the longest context
// is enough.
bool same_in_all_contexts(const host::Scheme& scheme) {
  const bool of_offsets = attention::natural_kind(scheme) == SignatureKind::offset;
  return scheme.claims(POSLAB_LENGTH_FREE) && (!of_offsets || scheme.claims(POSLAB_RELATIVE));
}

template <class S>
std::vector<Array<S>> signatures(const ExperimentInput& input, const std::vector<OffsetContext>& contexts) {
  const host::Weights<S> weights = draw_weights<S>(input);
  const std::vector<View<const S>> views = weights.of_layer(0);
  if (attention::natural_kind(input.scheme) == SignatureKind::offset)
    return attention::offset_signatures<S>(input.scheme, contexts, attention::Offsets::causal, views);
  std::vector<Array<S>> signatures;
  for (const auto& [context, count] : contexts) {
    const Array<double> positions = ExperimentInput::positions(0, count);
    signatures.push_back(attention::position_signatures<S>(input.scheme, context, positions, views));
  }
  return signatures;
}

template <class S>
void copy_row(const Array<S>& from, Index row, Array<double>& to, Index to_row) {
  for (Index a = 0; a < from.extent(1); ++a) to(to_row, a) = static_cast<double>(from(row, a));
}

}  // namespace

template <class S>
Codes draw_codes(const ExperimentInput& input, const std::vector<MeasuredPosition>& measured) {
  const Index L = input.axes.integer("train_length");
  const bool longest_is_enough = same_in_all_contexts(input.scheme);
  std::vector<Index> lengths = contexts(measured);
  if (longest_is_enough) lengths.erase(lengths.begin(), lengths.end() - 1);
  if (!longest_is_enough && lengths.front() > L) lengths.insert(lengths.begin(), L);

  std::vector<OffsetContext> wanted;
  for (const Index length : lengths) wanted.push_back({{length, L, true}, served(input.scheme, length)});
  const std::vector<Array<S>> rows = signatures<S>(input, wanted);
  const auto rows_in = [&](Index context) -> const Array<S>& {
    const auto found = std::lower_bound(lengths.begin(), lengths.end(), context);
    return rows[static_cast<std::size_t>(found - lengths.begin())];
  };

  const Index W = rows[0].extent(1);
  const auto defined =
      std::count_if(measured.begin(), measured.end(), [](const MeasuredPosition& one) { return one.defined; });
  Codes codes{Array<double>{L, W}, Array<double>{defined, W}};
  for (Index p = 0; p < L; ++p) copy_row(rows[0], p, codes.trained, p);
  Index next = 0;
  for (const MeasuredPosition& one : measured)
    if (one.defined) copy_row(rows_in(one.context_length), one.position, codes.tested, next++);
  return codes;
}

template Codes draw_codes<float>(const ExperimentInput&, const std::vector<MeasuredPosition>&);
template Codes draw_codes<double>(const ExperimentInput&, const std::vector<MeasuredPosition>&);

}  // namespace poslab::experiments::extrapolation
