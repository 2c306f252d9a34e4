// SPDX-License-Identifier: Apache-2.0
// Should a code be added to the embedding, or stand beside it? Definitions: add-or-concatenate.md.
// Dimension letters: S sequences, N tokens of one, V vocabulary, D model width.
#include "add-or-concatenate.hpp"

#include <cmath>

#include "parts.hpp"
#include "poslab/attention/codes.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"

namespace poslab::experiments {
namespace add_or_concatenate {

Axes<AddOrConcatenate> AddOrConcatenate::axes() {
  return {
      {&AddOrConcatenate::length, length_axis(128)},
      {&AddOrConcatenate::vocabulary,
       {.name = "vocabulary",
        .default_value = 32,
        .range = {.lowest = 1, .highest = 65536},
        .sentence = "V: how many tokens there are, each with a random embedding"}},
      {&AddOrConcatenate::sequences,
       {.name = "sequences",
        .default_value = 16,
        .range = {.lowest = 2, .highest = 65536},
        .sentence = "S: how many sequences of N random tokens; probes are fitted to the first half, rounded up"}},
      {&AddOrConcatenate::embedding_std,
       {.name = "embedding_std",
        .default_value = 1.0,
        .range = {.lowest = 0, .above_lowest = true},
        .sentence = "standard deviation of the entries of an embedding, independent and normal"}},
      {&AddOrConcatenate::dtype, dtype_axis()},
  };
}

namespace {

template <class Number>
Array<Number> normal(const ExperimentInput& input, std::string_view purpose, Index rows, double deviation) {
  Array<double> numbers = input.draws.normal(purpose, {rows, input.scheme.model().model_width});
  for (double& number : numbers.flat()) number *= deviation;
  return as<Number>(numbers);
}

template <class Number>
Drawn<Number> drawn_for(const AddOrConcatenate& at, const ExperimentInput& input) {
  const Index N = at.length, V = at.vocabulary, S = at.sequences, D = input.scheme.model().model_width;
  const host::Weights<Number> weights = draw_weights<Number>(input);
  const host::Context context = input.scheme.context(N);
  const std::vector<View<const Number>> views = weights.layer(0);
  const double unit = 1 / std::sqrt(static_cast<double>(D));
  Drawn<Number> drawn;  // named, since clang's analyzer sees a leak in a braced list
  drawn.heads = input.scheme.model().heads;
  const base::Stream tokens = input.draws.contents("tokens", {S, N, V});
  for (Index i = 0; i < S * N; ++i)
    drawn.tokens.push_back(
        static_cast<Index>(tokens.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(V))));
  drawn.embedding = normal<Number>(input, "embedding", V, at.embedding_std);
  drawn.codes = attention::codes<Number>(input.scheme, context, input.positions(N), views);
  drawn.projection = normal<Number>(input, "projection", 2 * D, unit / std::sqrt(2.0));
  drawn.query = normal<Number>(input, "query", 2 * D, unit);
  drawn.key = normal<Number>(input, "key", 2 * D, unit);
  return drawn;
}

void record_recovery(const RecoveryMeasures& measures, const Recovery& found, Output& out) {
  out.set(measures.position_error, found.position_error);
  out.set(measures.token_error, found.token_error);
}

void record_shares(const ShareMeasures& measures, const Shares& found, Output& out) {
  out.set(measures.content, found.content);
  out.set(measures.content_position, found.content_position);
  out.set(measures.position_content, found.position_content);
  out.set(measures.position, found.position);
}

// The cost of making one vector of D numbers of a token and its position, beyond that of the scheme's code itself.
void record_cost(const ExperimentInput& input, double bytes_of_one, Output& out) {
  double learned = 0, all = 0;
  for (const host::WeightInfo& info : input.scheme.weights()) {
    double size = 1;
    for (int axis = 0; axis < info.rank; ++axis)
      size *= static_cast<double>(info.shape[static_cast<std::size_t>(axis)]);
    all += size;
    if (!info.frozen) learned += size;
  }
  const auto D = static_cast<double>(input.scheme.model().model_width);
  out.set(AddOrConcatenate::parameters_sum, learned);
  out.set(AddOrConcatenate::parameters_projected, learned + 2 * D * D);
  out.set(AddOrConcatenate::bytes_sum, bytes_of_one * all);
  out.set(AddOrConcatenate::bytes_projected, bytes_of_one * (all + 2 * D * D));
  out.set(AddOrConcatenate::operations_sum, D);
  out.set(AddOrConcatenate::operations_projected, 4 * D * D - D);
}

template <class Number>
void measure(const AddOrConcatenate& at, const ExperimentInput& input, Output& out) {
  using M = AddOrConcatenate;
  const Drawn<Number> drawn = drawn_for<Number>(at, input);
  out.set(M::identity_error, identity_error(drawn));
  record_recovery(M::sum, recovery(drawn, Way::sum), out);
  record_recovery(M::concatenated, recovery(drawn, Way::concatenated), out);
  record_recovery(M::projected, recovery(drawn, Way::projected), out);
  record_recovery(M::chance, chance(drawn.tokens, drawn.length(), drawn.embedding.extent(0)), out);
  record_shares(M::shares_sum, shares(drawn, Blocks::tied), out);
  record_shares(M::shares_projected, shares(drawn, Blocks::own), out);
  record_cost(input, sizeof(Number), out);
}

}  // namespace

void AddOrConcatenate::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { measure<S>(*this, input, out); });
}

std::optional<base::Refusal> AddOrConcatenate::why_skip(const Setting& of) const {
  if (auto refusal = attention::why_no_codes(of.scheme)) return refusal;
  return of.why_not_length(length);
}

// What a probe sees, as pairs and in double, and three copies of what it is fitted to; then the decomposition of a
// square of it.
data::Estimate AddOrConcatenate::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N, V, S] = reckoned(length, vocabulary, sequences);
  const double R = S * N, D = needs.D, pairs = S * N * N;
  return {8 * (5 * R * D + 2 * R * V + 32 * D * D),
          needs.products(R * D * (11 * D + 3 * V) + 200 * D * D * D + 6 * pairs * D) + 60 * pairs * needs.H};
}

}  // namespace add_or_concatenate

Experiment make_add_or_concatenate() { return experiment_of<add_or_concatenate::AddOrConcatenate>(); }

}  // namespace poslab::experiments
