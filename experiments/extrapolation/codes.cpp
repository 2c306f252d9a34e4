// SPDX-License-Identifier: Apache-2.0
#include "codes.hpp"

#include <algorithm>

#include "poslab/attention/signatures.hpp"
#include "poslab/experiments/precision.hpp"

namespace poslab::experiments::extrapolation {
namespace {

using attention::OffsetContext;
using attention::SignatureKind;

// Whether the code of a place is the same in every context that holds it: then the longest one serves for all.
bool same_in_all_contexts(const host::Scheme& scheme) {
  const bool of_offsets = attention::natural_kind(scheme) == SignatureKind::offset;
  return scheme.claims(POSLAB_LENGTH_FREE) && (!of_offsets || scheme.claims(POSLAB_RELATIVE));
}

template <class S>
std::vector<Array<S>> signatures(const Trial& trial, const std::vector<OffsetContext>& contexts) {
  const host::Weights<S> weights = draw_weights<S>(trial);
  const std::vector<View<const S>> views = weights.of_layer(0);
  if (attention::natural_kind(trial.scheme) == SignatureKind::offset)
    return attention::offset_signatures<S>(trial.scheme, contexts, attention::Offsets::causal, views);
  std::vector<Array<S>> signatures;
  for (const auto& [context, count] : contexts) {
    const Array<double> positions = Trial::positions(0, count);
    signatures.push_back(attention::position_signatures<S>(trial.scheme, context, positions, views));
  }
  return signatures;
}

template <class S>
void copy_row(const Array<S>& from, Index row, Array<double>& to, Index place) {
  for (Index a = 0; a < from.extent(1); ++a) to(place, a) = static_cast<double>(from(row, a));
}

}  // namespace

template <class S>
Codes draw_codes(const Trial& trial, const std::vector<Place>& places) {
  const Index L = trial.axes.integer("train_length");
  const bool one_serves = same_in_all_contexts(trial.scheme);
  std::vector<Index> lengths = contexts(places);
  if (one_serves) lengths.erase(lengths.begin(), lengths.end() - 1);
  if (!one_serves && lengths.front() > L) lengths.insert(lengths.begin(), L);

  std::vector<OffsetContext> asked;
  for (const Index length : lengths) asked.push_back({{length, L, true}, served(trial.scheme, length)});
  const std::vector<Array<S>> rows = signatures<S>(trial, asked);
  const auto rows_in = [&](Index context) -> const Array<S>& {
    const auto found = std::lower_bound(lengths.begin(), lengths.end(), context);
    return rows[static_cast<std::size_t>(found - lengths.begin())];
  };

  const Index W = rows[0].extent(1);
  const auto defined = std::count_if(places.begin(), places.end(), [](const Place& place) { return place.defined; });
  Codes codes{Array<double>{L, W}, Array<double>{defined, W}};
  for (Index p = 0; p < L; ++p) copy_row(rows[0], p, codes.trained, p);
  Index next = 0;
  for (const Place& place : places)
    if (place.defined) copy_row(rows_in(place.context_length), place.position, codes.tested, next++);
  return codes;
}

template Codes draw_codes<float>(const Trial&, const std::vector<Place>&);
template Codes draw_codes<double>(const Trial&, const std::vector<Place>&);

}  // namespace poslab::experiments::extrapolation
