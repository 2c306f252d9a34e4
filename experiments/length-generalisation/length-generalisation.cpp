// SPDX-License-Identifier: Apache-2.0
// Trains a network on small instances of a task, and asks how it fares on larger ones. Definitions:
// length-generalisation.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "length-generalisation.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/rate_search.hpp"
#include "poslab/experiment/training_estimate.hpp"
#include "poslab/experiment/training_positions.hpp"
#include "poslab/experiment/training_run.hpp"
#include "score.hpp"

namespace poslab::experiments {
namespace length_generalisation {

Axes<LengthGeneralisation> LengthGeneralisation::axes() {
  return trained_axes<LengthGeneralisation>(
      "copy", {
                  {&LengthGeneralisation::smallest,
                   {.name = "smallest",
                    .default_value = 1,
                    .range = {.lowest = 1, .highest = 1e6},
                    .sentence = "smallest size that it is trained on, in the task's own measure of size"}},
                  {&LengthGeneralisation::largest,
                   {.name = "largest",
                    .default_value = 10,
                    .range = {.lowest = 1, .highest = 1e6},
                    .sentence = "largest size that it is trained on; all sizes up to it are alike often"}},
                  {&LengthGeneralisation::held_out,
                   {.name = "held_out",
                    .default_value = 128,
                    .range = {.lowest = 1, .highest = 1e6},
                    .unit = "sequences",
                    .sentence = "held-out sequences of each size"}},
                  {&LengthGeneralisation::test_positions,
                   {.name = "test_positions",
                    .choices = {{Measured::plain, "plain"}, {Measured::as_trained, "as-trained"}},
                    .sentence = "where what is measured stands, the held-out loss included: 0, 1, ...; or at positions "
                                "drawn as train_positions says"}},
                  {&LengthGeneralisation::size,
                   {.name = "size",
                    .default_value = {5, 10, 12, 14, 16, 18, 20},
                    .range = {.lowest = 1, .highest = 1e6},
                    .sentence = "sizes at which it is measured"}},
              });
}

std::vector<Index> LengthGeneralisation::trained_sizes(const tasks::Task& of) const {
  std::vector<Index> sizes;
  for (Index wanted = smallest; wanted <= largest; ++wanted)
    if (!of.why_not(wanted) && of.instances(tasks::Part::training, wanted) > 0) sizes.push_back(wanted);
  return sizes;
}

namespace {

Index trained_tokens(const tasks::Task& task, const std::vector<Index>& sizes) {
  Index most = 1;
  for (const Index size : sizes) most = std::max(most, task.tokens(size));
  return most;
}

TrainingPlan plan_of(const LengthGeneralisation& at, const ExperimentInput& input, const tasks::Task& task) {
  const std::vector<Index> sizes = at.trained_sizes(task);
  const Index B = at.batch, T = trained_tokens(task, sizes),
              held_out = static_cast<Index>(std::min(static_cast<std::uint64_t>(at.held_out),
                                                     task.instances(tasks::Part::held_out, sizes.back())));
  TrainingPlan plan{.optimiser = at.optimiser(),
                    .schedule = at.schedule(),
                    .keep_weights = at.keep_weights,
                    .with_moments = at.moments == MomentsOf::network};
  plan.configuration = at.network(input.scheme.model(), feed_of(&task), at.reach(T));
  plan.largest = {B, T, true};
  plan.held_out = {held_out, T, false};
  const base::Stream draws = input.draws.contents("task"), order = input.draws.contents("sizes");
  const bool alike = !plan.configuration.causal;  // an encoder sees what a sequence is filled up with
  plan.fill = [&task, sizes, draws, order, B, alike](std::uint64_t step, training::TaskBatch& batch) {
    for (Index b = 0; b < B; ++b) {
      const std::uint64_t i = step * static_cast<std::uint64_t>(B) + static_cast<std::uint64_t>(b);
      const std::uint64_t draw = alike ? step * static_cast<std::uint64_t>(B) : i;
      batch.add(task.sample(draws, tasks::Part::training, i, sizes[order.below(draw, sizes.size())]));
    }
  };
  plan.fill_held_out = [&task, sizes, draws, held_out](training::TaskBatch& batch) {
    for (Index b = 0; b < held_out; ++b)
      batch.add(task.sample(draws, tasks::Part::held_out, static_cast<std::uint64_t>(b), sizes.back()));
  };
  for (const double size : at.size)
    if (!task.why_not(static_cast<Index>(size)))
      plan.evaluated_tokens += static_cast<double>(held_out * task.tokens(static_cast<Index>(size)));
  plan.title = at.title(fmt::format("{} up to size {}", at.task, sizes.back()));
  plan.symbols = task.symbols();
  place_sequences(at, input, plan, at.test_positions);
  return plan;
}

struct Curves {
  std::vector<double> loss, accuracy, exact, chance, unordered, refused;
};

// Whether the scheme serves the positions of instances of this size.
bool is_served(const LengthGeneralisation& at, const ExperimentInput& input, const tasks::Task& task, Index size) {
  if (task.why_not(size)) return false;
  if (at.test_positions == Measured::as_trained && at.draws_positions())
    return !at.why_not_drawn(input.layers(), task.tokens(size));
  return !input.layers().why_not_positions(0, last_position(input.placement, task, size));
}

template <class S>
Curves evaluate(const LengthGeneralisation& at, const ExperimentInput& input, const tasks::Task& task,
                const TrainingPlan& plan, const TrainedNetwork<S>& trained) {
  EvaluationProgress progress(input.attempt, plan);
  const base::Stream draws = input.draws.contents("task");
  const Place place = [&](std::uint64_t first, training::TaskBatch& batch) {
    if (input.placement.is_grid()) batch.place_on_grid();
    if (at.test_positions == Measured::as_trained) place_as_trained(at, input, first, batch);
  };
  Curves curves;
  for (const double wanted : at.size) {
    const auto size = static_cast<Index>(wanted);
    const Index T = task.tokens(size);
    const bool served = is_served(at, input, task, size);
    curves.refused.push_back(task.why_not(size) ? std::nan("") : served ? 0 : 1);
    Score score;
    tasks::Bounds bounds;
    if (served) {
      network::Network<S> network(plan.configuration, input.layers(), *trained.layout,
                                  {std::min(sequences_at_once(T), at.held_out), T, false});
      score = score_of(network, *trained.parameters, task, draws, size, at.held_out, place);
      bounds = task.bounds(size);
    }
    if (!task.why_not(size)) progress.looked_at(static_cast<double>(plan.held_out.sequences * T));
    curves.loss.push_back(score.loss);
    curves.accuracy.push_back(score.accuracy);
    curves.exact.push_back(score.exact);
    curves.chance.push_back(bounds.chance_accuracy);
    curves.unordered.push_back(bounds.unordered_accuracy);
  }
  return curves;
}

// The means of a curve over the sizes from the smallest to the largest trained one, and beyond it, that the task has.
void record_means(const Scalar& within, const Scalar& beyond, const LengthGeneralisation& at, const Curves& curves,
                  const std::vector<double>& curve, Output& out) {
  double near = 0, far = 0, sizes_near = 0, sizes_far = 0;
  for (std::size_t i = 0; i < at.size.size(); ++i) {
    if (std::isnan(curves.refused[i]) || at.size[i] < static_cast<double>(at.smallest)) continue;
    const bool is_within = at.size[i] <= static_cast<double>(at.largest);
    (is_within ? near : far) += curve[i];
    (is_within ? sizes_near : sizes_far) += 1;
  }
  out.set(within, sizes_near > 0 ? near / sizes_near : std::nan(""));
  out.set(beyond, sizes_far > 0 ? far / sizes_far : std::nan(""));
}

template <class S>
void run_as(const LengthGeneralisation& at, const ExperimentInput& of_cell, Output& out) {
  using L = LengthGeneralisation;
  const std::unique_ptr<tasks::Task> task = at.make_task(of_cell.files, of_cell.network);
  const auto plan_on = [&](const ExperimentInput& on) { return plan_of(at, on, *task); };
  const SearchedCell cell = search_rate<S>(at, of_cell, plan_on);
  const ExperimentInput& input = cell.input;
  TrainingPlan plan = plan_on(input);
  plan.schedule.highest = cell.search.chosen();
  plan.stop_loss = at.stop_loss;
  const TrainedNetwork<S> trained = train<S>(input, plan);
  record_search(cell.search, out);
  record_training(input, plan, trained, out);
  const Curves curves = evaluate(at, input, *task, plan, trained);
  out.coordinate<Size>(at.size);
  out.set(L::loss, curves.loss);
  out.set(L::accuracy, curves.accuracy);
  out.set(L::exactly, curves.exact);
  out.set(L::chance, curves.chance);
  out.set(L::unordered, curves.unordered);
  out.set(L::refused, curves.refused);
  record_means(L::accuracy_within, L::accuracy_beyond, at, curves, curves.accuracy, out);
  record_means(L::exact_within, L::exact_beyond, at, curves, curves.exact, out);
  record_bounds(task->bounds(at.trained_sizes(*task).back()), out);
}

}  // namespace

void LengthGeneralisation::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { run_as<S>(*this, input, out); });
}

Index LengthGeneralisation::model_train_length() const { return reach(largest_tokens(make_task(no_files()).get())); }

Index LengthGeneralisation::largest_tokens(const tasks::Task* of) const {
  if (!of) return largest;
  const std::vector<Index> sizes = trained_sizes(*of);
  return sizes.empty() ? largest : trained_tokens(*of, sizes);
}

std::optional<base::Refusal> LengthGeneralisation::why_skip(const Setting& of) const {
  const std::unique_ptr<tasks::Task> instances = make_task(no_files());
  if (size.empty()) return "the list of sizes is empty: there is nothing to look at";
  for (std::size_t i = 0; i < size.size(); ++i)
    if (size[i] != std::trunc(size[i]) || (i > 0 && size[i] <= size[i - 1]))
      return "sizes are whole numbers that rise, but one is " + data::to_text(size[i]);
  if (smallest > largest)
    return fmt::format("the smallest size trained on is {}, above the largest, {}", smallest, largest);
  const std::vector<Index> sizes = instances ? trained_sizes(*instances) : std::vector<Index>{largest};
  if (sizes.empty()) {
    const auto refusal = instances->why_not(largest);
    return fmt::format("{} has no instance of a size in {} to {}: {}", task, smallest, largest,
                       refusal ? refusal->reason : "all that there are is held out");
  }
  if (auto refusal = why_not_trained(of, sizes.back(), largest_tokens(instances.get()));
      refusal || of.placement.is_grid())
    return refusal;
  return of.layers().why_not_positions(0, static_cast<double>(model_train_length()) - 1);
}

data::Estimate LengthGeneralisation::estimate(const Setting& of) const {
  const std::unique_ptr<tasks::Task> instances = make_task(of.files);
  const Index T = largest_tokens(instances.get());
  TrainingSizes sizes{.sequences = batch, .length = T, .held_out = held_out};
  sizes.lengths_differ = is_decoder() && (!instances || trained_sizes(*instances).size() > 1);
  for (const double wanted : size) {
    const auto asked = static_cast<Index>(wanted);
    if (instances && instances->why_not(asked)) continue;
    const Index length = instances ? instances->tokens(asked) : asked;
    sizes.looked_at.push_back(
        {static_cast<double>(held_out * length), std::min(sequences_at_once(length), held_out), length});
  }
  return training_estimate(*this, of.layers(), network(of.scheme.model(), feed_of(instances.get()), reach(T)), sizes);
}

}  // namespace length_generalisation

Experiment make_length_generalisation() { return experiment_of<length_generalisation::LengthGeneralisation>(); }

}  // namespace poslab::experiments
