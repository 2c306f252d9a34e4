// SPDX-License-Identifier: Apache-2.0
#include "attention_beyond.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "poslab/attention/softmax.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/shared_draws.hpp"
#include "poslab/numerics/statistics.hpp"
#include "sequence.hpp"
#include "window.hpp"

namespace poslab::experiments::extrapolation {
namespace {

constexpr std::size_t queries_per_batch = 256;
constexpr double held_share = 0.9;

// use(query, logits that it sees, the one for its own key) for all queries and heads, from several threads, one thread
// a query; heads and what they see in order.
template <class S, class Use>
void for_each_query(const Sequence<S>& sequence, const std::vector<Index>& queries, const Use& use) {
  const std::span<const Index> all(queries);
  for (std::size_t first = 0; first < all.size(); first += queries_per_batch) {
    const std::span<const Index> positions = all.subspan(first, std::min(queries_per_batch, all.size() - first));
    const QueryBatch<S> batch = sequence.logits(positions);
    tbb::parallel_for(std::size_t{0}, positions.size(), [&](std::size_t i) {
      std::vector<double> seen;
      for (Index h = 0; h < batch.heads(); ++h) {
        batch.visible(h, static_cast<Index>(i), positions[i], seen);
        use(first + i, seen, batch.own(h, static_cast<Index>(i), positions[i]));
      }
    });
  }
}

// All logits of pairs key <= query within the trained length.
struct TrainedLogits {
  numerics::Moments all;
  double mean_less_own = 0;      // less the logit of each query for its own key
  double deviation_of_keys = 0;  // from the mean of each query, root mean square
};

template <class S>
TrainedLogits trained_logits(const Sequence<S>& sequence, Index L) {
  std::vector<Index> queries(static_cast<std::size_t>(L));
  std::iota(queries.begin(), queries.end(), Index{0});
  struct OfQuery {
    numerics::Moments all;
    double less_own = 0, squares = 0;
  };
  std::vector<OfQuery> of_query(queries.size());
  for_each_query(sequence, queries, [&](std::size_t query, const std::vector<double>& logits, double own) {
    numerics::Moments head;
    for (const double logit : logits) head.add(logit);
    for (const double logit : logits) of_query[query].all.add(logit);
    of_query[query].less_own += head.count() * (head.mean() - own);
    of_query[query].squares += head.count() * head.variance();
  });
  TrainedLogits trained;
  for (const OfQuery& one : of_query) {
    trained.all.append(one.all);
    trained.mean_less_own += one.less_own;
    trained.deviation_of_keys += one.squares;
  }
  trained.mean_less_own /= trained.all.count();
  trained.deviation_of_keys = std::sqrt(trained.deviation_of_keys / trained.all.count());
  return trained;
}

// Sums over heads of one query.
struct QueryFigures {
  double heads = 0, mean_logits = 0, own_logits = 0, windows = 0;

  void add_head(const std::vector<double>& logits, double own, bool with_window) {
    heads += 1;
    own_logits += own;
    mean_logits += std::accumulate(logits.begin(), logits.end(), 0.0) / static_cast<double>(logits.size());
    if (!with_window) return;
    base::Array<double> attention{static_cast<base::Index>(logits.size())};  // its memory is aligned
    std::copy(logits.begin(), logits.end(), attention.data());
    attention::softmax<double>(attention.flat());
    windows += static_cast<double>(effective_window(attention.flat(), held_share));
  }
};

// The logits of one kind of sequence.
struct Course {
  std::vector<double> mean_logit, less_own, window;  // at each measured position; NaN where it is not served
  TrainedLogits trained;

  // How far each mean has moved from training, over the deviation of the logits there.
  std::vector<double> drift() const { return moved(mean_logit, trained.all.mean(), std::sqrt(trained.all.variance())); }
  // The same of what softmax sees, the logits less that of the query for its own key; NaN where `deviation` is 0, since
  // then training shows no query two keys.
  std::vector<double> drift_less_own(double deviation) const {
    return moved(less_own, trained.mean_less_own, deviation > 0 ? deviation : std::numeric_limits<double>::quiet_NaN());
  }

 private:
  static std::vector<double> moved(const std::vector<double>& means, double from, double deviation) {
    std::vector<double> drift;
    for (const double mean : means) drift.push_back(numerics::ratio_or_zero(mean - from, deviation));
    return drift;
  }
};

enum class Want { means, means_and_windows };

// The means over heads, and the windows where they are wanted, of the queries at these positions.
template <class S>
std::vector<QueryFigures> figures_at(const Sequence<S>& sequence, const std::vector<Index>& positions, Want want) {
  std::vector<QueryFigures> figures(positions.size());
  if (want == Want::means && sequence.is_product()) {
    const std::vector<double> means = sequence.mean_logits_of_products(positions),
                              own = sequence.own_logits_of_products(positions);
    for (std::size_t i = 0; i < means.size(); ++i) figures[i] = {1, means[i], own[i], 0};
  } else {
    for_each_query<S>(sequence, positions, [&](std::size_t query, std::vector<double>& logits, double own) {
      figures[query].add_head(logits, own, want == Want::means_and_windows);
    });
  }
  return figures;
}

// `sequence_in(context length)` makes the sequence of a context.
template <class S, class SequenceIn>
Course follow(const std::vector<MeasuredPosition>& measured, Index L, Want want, const SequenceIn& sequence_in) {
  const std::vector<double> undefined(measured.size(), std::numeric_limits<double>::quiet_NaN());
  Course course{undefined, undefined, undefined, trained_logits<S>(sequence_in(L), L)};
  for (const Index context_length : contexts(measured)) {
    const std::vector<std::size_t> here = defined_in(measured, context_length);
    std::vector<Index> positions;
    for (const std::size_t i : here) positions.push_back(measured[i].position);
    const std::vector<QueryFigures> figures = figures_at<S>(sequence_in(context_length), positions, want);
    for (std::size_t i = 0; i < here.size(); ++i) {
      course.mean_logit[here[i]] = figures[i].mean_logits / figures[i].heads;
      course.less_own[here[i]] = (figures[i].mean_logits - figures[i].own_logits) / figures[i].heads;
      course.window[here[i]] = figures[i].windows / figures[i].heads;
    }
  }
  return course;
}

}  // namespace

template <class S>
AttentionBeyond attention_beyond(const Extrapolation& at, const ExperimentInput& input,
                                 const std::vector<MeasuredPosition>& measured) {
  const host::Scheme& scheme = input.scheme;
  const Index L = at.train_length, N = at.multiples().back() * L, D = scheme.model().model_width;
  const host::Weights<S> weights = draw_weights<S>(input);
  const auto sequence_of = [&](With with, const Contents& queries, const Array<S>& keys) {
    return [&, with](Index context_length) {
      return Sequence<S>(scheme, with, {context_length, L, true}, weights.layer(0), keys, queries);
    };
  };
  const Contents queries(input.draws, "query", N, D), equal = Contents::equal(input.draws, "equal", D);
  const Index count = served(scheme, N);
  const auto drawn = shared_draw<Array<S>>(input, fmt::format("{} keys", count), count * D,
                                           [&] { return draw_keys<S>(Contents(input.draws, "key", N, D), count, D); });
  const Array<S>& keys = *drawn;
  const Array<S> equal_keys = draw_keys<S>(equal, count, D);
  const auto without_positions = [&] {  // the scheme says where it ends, and nothing else
    return *input.common.of<Course>(fmt::format("course of {} positions without the scheme", count), [&] {
      return follow<S>(measured, L, Want::means, sequence_of(With::nothing, queries, keys));
    });
  };
  const Course course = follow<S>(measured, L, Want::means_and_windows, sequence_of(With::positions, queries, keys)),
               none = scheme.looks_at_positions() ? without_positions() : course,
               of_equal = follow<S>(measured, L, Want::means, sequence_of(With::positions, equal, equal_keys));
  return {course.drift(), none.drift(), of_equal.drift_less_own(course.trained.deviation_of_keys), course.window};
}

template AttentionBeyond attention_beyond<float>(const Extrapolation&, const ExperimentInput&,
                                                 const std::vector<MeasuredPosition>&);
template AttentionBeyond attention_beyond<double>(const Extrapolation&, const ExperimentInput&,
                                                  const std::vector<MeasuredPosition>&);

}  // namespace poslab::experiments::extrapolation
