// SPDX-License-Identifier: Apache-2.0
#include "attention_beyond.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/attention/softmax.hpp"
#include "poslab/experiments/precision.hpp"
#include "poslab/numerics/statistics.hpp"
#include "sequence.hpp"
#include "window.hpp"

namespace poslab::experiments::extrapolation {
namespace {

constexpr std::size_t queries_per_batch = 32;
constexpr double held_share = 0.9;

// use(batch number, batch) for all queries, in batches of one size, from several threads.
template <class S, class Use>
void for_each_batch(const Sequence<S>& sequence, const std::vector<Index>& queries, const Use& use) {
  const std::span<const Index> all(queries);
  tbb::parallel_for(std::size_t{0}, (all.size() + queries_per_batch - 1) / queries_per_batch, [&](std::size_t number) {
    const std::size_t first = number * queries_per_batch, count = std::min(queries_per_batch, all.size() - first);
    use(number, sequence.logits(all.subspan(first, count)));
  });
}

// The logits of query i of a batch that its head h sees.
template <class S>
std::span<const S> visible(const QueryBatch<S>& batch, Index h, std::size_t i) {
  return {&batch.logits(h, static_cast<Index>(i), 0), static_cast<std::size_t>(batch.positions[i]) + 1};
}

// All logits of pairs key <= query within the trained length.
template <class S>
numerics::Moments trained_logits(const Sequence<S>& sequence, Index L) {
  std::vector<Index> queries(static_cast<std::size_t>(L));
  std::iota(queries.begin(), queries.end(), Index{0});
  std::vector<numerics::Moments> parts((queries.size() + queries_per_batch - 1) / queries_per_batch);
  for_each_batch(sequence, queries, [&](std::size_t number, const QueryBatch<S>& batch) {
    for (Index h = 0; h < batch.logits.extent(0); ++h)
      for (std::size_t i = 0; i < batch.positions.size(); ++i)
        for (const S logit : visible(batch, h, i)) parts[number].add(static_cast<double>(logit));
  });
  numerics::Moments all;
  for (const numerics::Moments& part : parts) all.append(part);
  return all;
}

struct QueryFigures {
  double mean_logit = 0, window = 0;  // over heads
};

template <class S>
QueryFigures figures(const QueryBatch<S>& batch, std::size_t i) {
  const Index H = batch.logits.extent(0);
  QueryFigures figures;
  std::vector<double> attention;
  for (Index h = 0; h < H; ++h) {
    const std::span<const S> logits = visible(batch, h, i);
    attention.assign(logits.begin(), logits.end());
    figures.mean_logit +=
        std::accumulate(attention.begin(), attention.end(), 0.0) / static_cast<double>(attention.size());
    attention::softmax<double>(attention);
    figures.window += static_cast<double>(effective_window(attention, held_share));
  }
  figures.mean_logit /= static_cast<double>(H);
  figures.window /= static_cast<double>(H);
  return figures;
}

}  // namespace

template <class S>
AttentionBeyond attention_beyond(const Trial& trial, const std::vector<Place>& places) {
  const host::Scheme& scheme = trial.scheme;
  const Index L = trial.axes.integer("train_length"), N = multiples(trial.axes).back() * L,
              D = scheme.model().model_width;
  const Contents queries(trial.draws, "query", N, D);
  const Array<S> keys = draw_keys<S>(Contents(trial.draws, "key", N, D), served(scheme, N), D);
  const host::Weights<S> weights = draw_weights<S>(trial);
  const auto sequence_in = [&](Index context_length) {
    return Sequence<S>(scheme, {context_length, L, true}, weights.of_layer(0), keys, queries);
  };
  const numerics::Moments trained = trained_logits(sequence_in(L), L);
  const double mean = trained.mean(), deviation = std::sqrt(trained.variance());

  const std::vector<double> undefined(places.size(), std::numeric_limits<double>::quiet_NaN());
  AttentionBeyond beyond{undefined, undefined};
  for (const Index context_length : contexts(places)) {
    const std::vector<std::size_t> here = defined_in(places, context_length);
    std::vector<Index> positions;
    for (const std::size_t place : here) positions.push_back(places[place].position);
    for_each_batch(sequence_in(context_length), positions, [&](std::size_t number, const QueryBatch<S>& batch) {
      for (std::size_t i = 0; i < batch.positions.size(); ++i) {
        const QueryFigures of_query = figures(batch, i);
        const std::size_t place = here[number * queries_per_batch + i];
        beyond.logit_drift[place] = numerics::ratio_or_zero(of_query.mean_logit - mean, deviation);
        beyond.effective_window[place] = of_query.window;
      }
    });
  }
  return beyond;
}

template AttentionBeyond attention_beyond<float>(const Trial&, const std::vector<Place>&);
template AttentionBeyond attention_beyond<double>(const Trial&, const std::vector<Place>&);

}  // namespace poslab::experiments::extrapolation
