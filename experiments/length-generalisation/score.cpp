// SPDX-License-Identifier: Apache-2.0
#include "score.hpp"

#include <algorithm>
#include <span>

#include "poslab/experiment/training_run.hpp"
#include "poslab/training/task_batch.hpp"

namespace poslab::experiments::length_generalisation {

template <class S>
Score score_of(network::Network<S>& network, const network::Parameters<S>& parameters, const tasks::Task& task,
               const base::Stream& draws, Index size, Index count, const Place& place) {
  const Index T = task.tokens(size);
  const std::uint64_t all = std::min(static_cast<std::uint64_t>(count), task.instances(tasks::Part::held_out, size)),
                      step = static_cast<std::uint64_t>(std::min(count, sequences_at_once(T)));
  double loss = 0, right = 0, asked = 0, whole = 0;
  training::TaskBatch batch;
  for (std::uint64_t first = 0; first < all; first += step) {
    batch.clear();
    for (std::uint64_t i = first; i < std::min(all, first + step); ++i)
      batch.add(task.sample(draws, tasks::Part::held_out, i, size));
    place(first, batch);
    const network::Batch view = batch.view();
    std::span<const network::TokenLoss> losses;
    if (!view.has_own_positions()) losses = network.evaluate(parameters, view);
    for (Index b = 0; b < batch.sequences(); ++b) {
      const auto of_sequence = view.has_own_positions()
                                   ? network.evaluate(parameters, view.sequence(b))
                                   : losses.subspan(base::at(b * view.tokens.shape[1]), base::at(view.tokens.shape[1]));
      bool all_right = true;
      for (Index t = 0; t < view.tokens.shape[1]; ++t) {
        if (!view.loss_mask(b, t)) continue;
        const network::TokenLoss& token = of_sequence[base::at(t)];
        loss += token.loss;
        right += token.correct;
        ++asked;
        all_right = all_right && token.correct;
      }
      whole += all_right;
    }
  }
  return {loss / asked, right / asked, whole / static_cast<double>(all)};
}

template Score score_of<float>(network::Network<float>&, const network::Parameters<float>&, const tasks::Task&,
                               const base::Stream&, Index, Index, const Place&);
template Score score_of<double>(network::Network<double>&, const network::Parameters<double>&, const tasks::Task&,
                                const base::Stream&, Index, Index, const Place&);

}  // namespace poslab::experiments::length_generalisation
