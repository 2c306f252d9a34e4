// SPDX-License-Identifier: Apache-2.0
// A network that guesses, the same at every token, reaches the chance that its task states, in accuracy and in loss.
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/task_batch.hpp"

using namespace poslab;

namespace {

constexpr base::Index guessed_sequences = 2000;

training::TaskBatch drawn_guesses(const tasks::Task& task, tasks::Part part, base::Index size) {
  training::TaskBatch batch;
  const base::Stream draws("guesses");
  for (base::Index i = 0; i < guessed_sequences; ++i)
    batch.add(task.sample(draws, part, static_cast<std::uint64_t>(i), size));
  return batch;
}

// Its last norm gives the same vector whatever enters, and the head makes of it how often each symbol is asked for.
network::Parameters<double> guessing(const network::Layout& layout, const network::Batch& trained) {
  network::Parameters<double> parameters(layout);
  std::vector<double> asked(static_cast<std::size_t>(layout.at(layout.unembedding).shape[0]), 0.1);
  for (base::Index i = 0; i < trained.targets.size(); ++i)
    if (trained.loss_mask.data[i]) asked[base::at(trained.targets.data[i])] += 1;
  parameters[layout.norm.bias](0) = 1;
  for (std::size_t symbol = 0; symbol < asked.size(); ++symbol)
    parameters[layout.unembedding](static_cast<base::Index>(symbol), 0) = std::log(asked[symbol]);
  return parameters;
}

// The mean over targets, and its standard error: sequences are independent, targets of one are not.
struct MeanOverTargets {
  double value, error, targets;
};
MeanOverTargets mean_over_targets(std::span<const network::TokenLoss> losses, const network::Batch& batch,
                                  double (*what)(const network::TokenLoss&)) {
  const base::Index T = batch.tokens.shape[1];
  std::vector<double> sums(guessed_sequences), counts(guessed_sequences);
  double sum = 0, count = 0, squares = 0;
  for (base::Index b = 0; b < guessed_sequences; ++b) {
    for (base::Index t = 0; t < T; ++t)
      if (batch.loss_mask(b, t)) {
        sums[base::at(b)] += what(losses[base::at(b * T + t)]);
        counts[base::at(b)] += 1;
      }
    sum += sums[base::at(b)];
    count += counts[base::at(b)];
  }
  for (std::size_t b = 0; b < sums.size(); ++b) squares += std::pow(sums[b] - sum / count * counts[b], 2);
  return {sum / count, std::sqrt(squares) / count, count};
}

}  // namespace

TEST_CASE("a network that guesses reaches the chance of tasks whose answers are not alike") {
  for (const char* id : {"addition", "addition-hinted", "multiplication", "binary-addition", "stack-manipulation",
                         "listops", "modular-brackets"})
    for (const base::Index size : {base::Index{5}, base::Index{14}}) {
      INFO(id << ", size " << size);
      const auto task = tasks::find_task(id).make("");
      network::Configuration c;
      c.vocabulary = task->vocabulary();
      c.model_width = c.feed_forward = 4;
      c.heads = c.layers = 1;
      const network::Layout layout(c, nullptr);
      training::TaskBatch trained = drawn_guesses(*task, tasks::Part::training, size),
                          held_out = drawn_guesses(*task, tasks::Part::held_out, size);
      const auto parameters = guessing(layout, trained.view());
      const network::Batch batch = held_out.view();
      network::Network<double> net(c, nullptr, layout, {guessed_sequences, batch.tokens.shape[1], false});
      const auto losses = net.evaluate(parameters, batch);
      const MeanOverTargets accuracy = mean_over_targets(
                                losses, batch, [](const network::TokenLoss&at) { return at.correct ? 1.0 : 0.0; }),
                            loss = mean_over_targets(losses, batch,
                                                     [](const network::TokenLoss&at) { return double{at.loss}; });
      const tasks::Bounds bounds = task->bounds(size);
      // Frequencies that are counted cost half of a nat for each symbol, over all targets.
      const double counted = static_cast<double>(task->vocabulary()) / (2 * loss.targets);
      CHECK_THAT(accuracy.value, check::WithinAbs(bounds.chance_accuracy, 4 * accuracy.error + 1e-12));
      CHECK_THAT(loss.value, check::WithinAbs(bounds.chance_loss, 4 * loss.error + counted));
    }
}
