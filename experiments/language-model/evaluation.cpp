// SPDX-License-Identifier: Apache-2.0
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "poslab/experiment/training_run.hpp"
#include "poslab/training/task_batch.hpp"

namespace poslab::experiments::language_model {
namespace {

struct Sums {
  double loss = 0, correct = 0, count = 0;
  void add(const network::TokenLoss& token) {
    loss += token.loss;
    correct += token.correct;
    ++count;
  }
};

double over(double sum, double count) { return count > 0 ? sum / count : std::nan(""); }

}  // namespace

template <class S>
Evaluation evaluate_windows(network::Network<S>& network, const network::Parameters<S>& parameters,
                            const tasks::Task& task, const base::Stream& draws, Index size, Index count, Index shift,
                            int probe) {
  const Index T = task.tokens(size), at_once = sequences_at_once(T);
  const std::uint64_t all = std::min(static_cast<std::uint64_t>(count), task.instances(tasks::Part::held_out, size));
  std::vector<Sums> at(static_cast<std::size_t>(T));
  std::vector<double> positions;
  for (Index t = 0; t < T; ++t) positions.push_back(static_cast<double>(shift + t));
  Sums total;
  training::TaskBatch batch;
  for (std::uint64_t first = 0; first < all; first += static_cast<std::uint64_t>(at_once)) {
    batch.clear();
    for (std::uint64_t i = first; i < std::min(all, first + static_cast<std::uint64_t>(at_once)); ++i)
      batch.add(probe < 0 ? task.sample(draws, tasks::Part::held_out, i, size)
                          : task.probe(static_cast<std::size_t>(probe), draws, i, size));
    network::Batch view = batch.view();
    view.positions = {positions.data(), {T, 1}};
    const auto losses = network.evaluate(parameters, view);
    for (std::size_t m = 0; m < losses.size(); ++m)
      if (view.loss_mask.data[m]) {
        at[m % static_cast<std::size_t>(T)].add(losses[m]);
        total.add(losses[m]);
      }
  }
  Evaluation found;
  found.loss = over(total.loss, total.count);
  found.accuracy = over(total.correct, total.count);
  for (const Sums& sums : at) {
    found.loss_at.push_back(over(sums.loss, sums.count));
    found.accuracy_at.push_back(over(sums.correct, sums.count));
  }
  return found;
}

template <class S>
double sliding_loss(network::Network<S>& network, const network::Parameters<S>& parameters, const tasks::Task& task,
                    const base::Stream& draws, Index size, Index count) {
  if (task.why_not(size + count) || task.tokens(size + count) != size + count) return std::nan("");
  const tasks::Sequence all = task.sample(draws, tasks::Part::held_out, 0, size + count);
  const Index at_once = sequences_at_once(size);
  Sums total;
  training::TaskBatch batch;
  for (Index first = 0; first < count; first += at_once) {
    batch.clear();
    for (Index w = first; w < std::min(count, first + at_once); ++w) {
      tasks::Sequence window;
      window.tokens.assign(all.tokens.begin() + w, all.tokens.begin() + w + size);
      window.targets.assign(all.targets.begin() + w, all.targets.begin() + w + size);
      window.mask.assign(static_cast<std::size_t>(size), 0);
      window.mask.back() = all.mask[static_cast<std::size_t>(w + size - 1)];
      batch.add(window);
    }
    const network::Batch view = batch.view();
    const auto losses = network.evaluate(parameters, view);
    for (std::size_t m = 0; m < losses.size(); ++m)
      if (view.loss_mask.data[m]) total.add(losses[m]);
  }
  return over(total.loss, total.count);
}

#define POSLAB_FOR(S)                                                                                              \
  template Evaluation evaluate_windows<S>(network::Network<S>&, const network::Parameters<S>&, const tasks::Task&, \
                                          const base::Stream&, Index, Index, Index, int);                          \
  template double sliding_loss<S>(network::Network<S>&, const network::Parameters<S>&, const tasks::Task&,         \
                                  const base::Stream&, Index, Index);
POSLAB_FOR(float)
POSLAB_FOR(double)
#undef POSLAB_FOR

}  // namespace poslab::experiments::language_model
