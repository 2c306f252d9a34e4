// SPDX-License-Identifier: Apache-2.0
// Trains a network to continue sequences, and asks how it fares on longer ones. Definitions: language-model.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluation.hpp"
#include "language-model.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/rate_search.hpp"
#include "poslab/experiment/training_estimate.hpp"
#include "poslab/experiment/training_positions.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {
namespace language_model {

Axes<LanguageModel> LanguageModel::axes() {
  return trained_axes<LanguageModel>(
      "markov", {
                    {&LanguageModel::train_length,
                     {.name = "train_length",
                      .default_value = 64,
                      .range = from_one,
                      .unit = "token",
                      .sentence = "T: size of the instances that it is trained on: for most tasks their tokens"}},
                    {&LanguageModel::held_out,
                     {.name = "held_out",
                      .default_value = 64,
                      .range = {.lowest = 1, .highest = 1e6},
                      .unit = "sequences",
                      .sentence = "held-out sequences of each length, or all that a file has"}},
                    {&LanguageModel::sliding,
                     {.name = "sliding",
                      .default_value = 0,
                      .range = {.lowest = 0, .highest = 1e6},
                      .unit = "window",
                      .sentence = "windows of sliding_loss; 0: it is not measured"}},
                    {&LanguageModel::multiple,
                     {.name = "multiple",
                      .default_value = {1, 2, 4, 8},
                      .range = {.lowest = 1, .highest = 1e4},
                      .sentence = "length of the held-out sequences over the trained length"}},
                    {&LanguageModel::shift,
                     {.name = "shift",
                      .default_value = {0},
                      .range = {.lowest = 0, .highest = 1e9},
                      .unit = "position",
                      .sentence = "k: sequences of the trained length are measured at positions k, k + 1, ... too"}},
                });
}

namespace {

network::Capacity evaluated(Index length) { return {sequences_at_once(length), length, false}; }

// The tokens of an instance of this size; where a file is needed, which is not known here, its size.
Index tokens_of(const tasks::Task* task, Index size) { return task ? task->tokens(size) : size; }

TrainingPlan plan_of(const LanguageModel& at, const ExperimentInput& input, const tasks::Task& task) {
  const Index T = at.train_length, B = at.batch;
  const Index held_out = std::min<Index>(
      at.held_out, static_cast<Index>(std::min<std::uint64_t>(1'000'000, task.instances(tasks::Part::held_out, T))));
  TrainingPlan plan{.optimiser = at.optimiser(),
                    .schedule = at.schedule(),
                    .keep_weights = at.keep_weights,
                    .with_moments = at.moments == MomentsOf::network};
  plan.configuration = at.network(input.scheme.model(), feed_of(&task), at.reach(task.tokens(T)));
  plan.largest = {B, task.tokens(T), true};
  plan.held_out = {held_out, task.tokens(T), false};
  const base::Stream draws = input.draws.contents("task");
  plan.fill = [&task, draws, B, T](std::uint64_t step, training::TaskBatch& batch) {
    for (Index b = 0; b < B; ++b)
      batch.add(task.sample(draws, tasks::Part::training,
                            step * static_cast<std::uint64_t>(B) + static_cast<std::uint64_t>(b), T));
  };
  plan.fill_held_out = [&task, draws, held_out, T](training::TaskBatch& batch) {
    for (Index b = 0; b < held_out; ++b)
      batch.add(task.sample(draws, tasks::Part::held_out, static_cast<std::uint64_t>(b), T));
  };
  for (const double multiple : at.multiple)
    plan.evaluated_tokens +=
        static_cast<double>(held_out + at.sliding) * static_cast<double>(task.tokens(T * static_cast<Index>(multiple)));
  plan.evaluated_tokens +=
      static_cast<double>(held_out * task.tokens(T)) * static_cast<double>(1 + at.shift.size() + task.probes().size());
  plan.title = at.title(at.task);
  plan.symbols = task.symbols();
  place_sequences(at, input, plan);
  return plan;
}

// The curves over `multiple`, and over `position` at the largest one that the scheme serves.
struct Curves {
  std::vector<double> loss, accuracy, refused, sliding, by_position, accuracy_by_position, best_by_position,
      unordered_by_position;
};

// A bound by position: where it does not depend on the position the same at each that counts.
std::vector<double> by_position(const std::vector<double>& bound, double everywhere,
                                const std::vector<double>& losses) {
  if (!bound.empty()) return bound;
  std::vector<double> same;
  for (const double loss : losses) same.push_back(std::isnan(loss) ? loss : everywhere);
  return same;
}

template <class S>
Curves evaluate(const LanguageModel& at, const ExperimentInput& input, const tasks::Task& task,
                const TrainingPlan& plan, const TrainedNetwork<S>& trained, EvaluationProgress& progress) {
  const Index T = at.train_length, windows = at.sliding;
  const base::Stream draws = input.draws.contents("task");
  Curves curves;
  for (const double multiple : at.multiple) {
    const Index size = T * static_cast<Index>(multiple), length = task.tokens(size);
    const bool served = !input.layers().why_not_positions(0, static_cast<double>(length - 1)) && !task.why_not(size);
    curves.refused.push_back(task.why_not(size) ? std::nan("") : served ? 0 : 1);
    Evaluation found;
    double sliding = std::nan("");
    if (served) {
      network::Network<S> network(plan.configuration, input.layers(), *trained.layout, evaluated(length));
      found = evaluate_windows(network, *trained.parameters, task, draws, size, at.held_out);
      if (windows > 0) sliding = sliding_loss(network, *trained.parameters, task, draws, size, windows);
      if (found.loss_at.size() > curves.by_position.size()) {
        curves.by_position = found.loss_at;
        curves.accuracy_by_position = found.accuracy_at;
        const tasks::Bounds bounds = task.bounds(size);
        curves.best_by_position = by_position(bounds.best_loss_at, bounds.best_loss, found.loss_at);
        curves.unordered_by_position =
            by_position(bounds.unordered_accuracy_at, bounds.unordered_accuracy, found.loss_at);
      }
    }
    curves.loss.push_back(found.loss);
    curves.accuracy.push_back(found.accuracy);
    curves.sliding.push_back(sliding);
    progress.looked_at(static_cast<double>((plan.held_out.sequences + windows) * length));
  }
  return curves;
}

// At the trained length: positions that begin elsewhere, and the task's special kinds of sequences.
template <class S>
void record_at_trained_length(const LanguageModel& at, const ExperimentInput& input, const tasks::Task& task,
                              const TrainingPlan& plan, const TrainedNetwork<S>& trained, EvaluationProgress& progress,
                              Output& out) {
  const Index T = at.train_length, length = task.tokens(T);
  network::Network<S> network(plan.configuration, input.layers(), *trained.layout, evaluated(length));
  const auto found_at = [&](Index shift, int probe) {
    Evaluation found = evaluate_windows(network, *trained.parameters, task, input.draws.contents("task"), T,
                                        at.held_out, shift, probe);
    progress.looked_at(static_cast<double>(plan.held_out.sequences * length));
    return found;
  };
  const double unshifted = found_at(0, -1).loss;
  std::vector<double> losses, rises;
  for (const double shift : at.shift) {
    const bool served = !input.layers().why_not_positions(shift, shift + static_cast<double>(length - 1));
    losses.push_back(served ? found_at(static_cast<Index>(shift), -1).loss : std::nan(""));
    rises.push_back(losses.back() - unshifted);
  }
  out.coordinate<Shift>(at.shift);
  out.set(LanguageModel::loss_shifted, losses);
  out.set(LanguageModel::rise_shifted, rises);

  std::vector<double> probes, accuracies, gaps;
  for (std::size_t probe = 0; probe < task.probes().size(); ++probe)
    accuracies.push_back(found_at(0, static_cast<int>(probe)).accuracy);
  if (accuracies.empty()) accuracies.push_back(std::nan(""));
  for (std::size_t probe = 0; probe < accuracies.size(); ++probe) {
    probes.push_back(static_cast<double>(probe));
    gaps.push_back(probe + 1 < accuracies.size() ? accuracies[probe] - accuracies[probe + 1] : std::nan(""));
  }
  out.coordinate<Probe>(probes);
  out.set(LanguageModel::probe_accuracy, accuracies);
  out.set(LanguageModel::probe_gap, gaps);
}

void record_curves(const Curves& curves, const std::vector<double>& multiples, Output& out) {
  out.coordinate<Multiple>(multiples);
  std::vector<double> perplexity, ratio;
  for (const double loss : curves.loss) {
    perplexity.push_back(std::exp(loss));
    ratio.push_back(std::exp(loss - curves.loss.front()));
  }
  out.set(LanguageModel::loss, curves.loss);
  out.set(LanguageModel::perplexity, perplexity);
  out.set(LanguageModel::perplexity_ratio, ratio);
  out.set(LanguageModel::accuracy, curves.accuracy);
  out.set(LanguageModel::refused, curves.refused);
  out.set(LanguageModel::sliding_loss, curves.sliding);
  out.coordinate<Position>(numbers_below(std::ssize(curves.by_position)));
  out.set(LanguageModel::loss_by_position, curves.by_position);
  out.set(LanguageModel::accuracy_by_position, curves.accuracy_by_position);
  out.set(LanguageModel::best_loss_by_position, curves.best_by_position);
  out.set(LanguageModel::unordered_by_position, curves.unordered_by_position);
}

template <class S>
void run_as(const LanguageModel& at, const ExperimentInput& of_cell, Output& out) {
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
  EvaluationProgress progress(input.attempt, plan);
  record_curves(evaluate(at, input, *task, plan, trained, progress), at.multiple, out);
  record_at_trained_length(at, input, *task, plan, trained, progress, out);
  const tasks::Bounds bounds = task->bounds(at.train_length);
  record_bounds(bounds, out);
  out.set(LanguageModel::unordered_accuracy, bounds.unordered_accuracy);
}

// What is wrong with a list of whole numbers that must rise.
std::optional<base::Refusal> why_not_rising(const std::vector<double>& list, const char* name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] != std::trunc(list[i]) || (i > 0 && list[i] <= list[i - 1]))
      return fmt::format("{}s are whole numbers that rise, but one is {}", name, data::to_text(list[i]));
  return std::nullopt;
}

}  // namespace

void LanguageModel::run(const ExperimentInput& input, Output& out) const {
  with_dtype(dtype, [&]<class S>(S) { run_as<S>(*this, input, out); });
}

std::optional<base::Refusal> LanguageModel::why_skip(const Setting& of) const {
  if (multiple.empty()) return "the list of multiples is empty: there is no length to look at";
  if (auto refusal = why_not_rising(multiple, "multiple")) return refusal;
  if (shift.empty()) return "the list of shifts is empty: [0] measures none";
  if (auto refusal = why_not_rising(shift, "shift")) return refusal;
  if (of.placement.is_grid()) return "images on a grid are for length-generalisation, whose sizes are their sides";
  const std::unique_ptr<tasks::Task> instances = make_task(no_files());
  if (instances)
    if (auto refusal = instances->why_not(train_length)) return refusal;
  if (auto refusal = why_not_trained(of, train_length, tokens_of(instances.get(), train_length))) return refusal;
  return of.layers().why_not_positions(0, static_cast<double>(model_train_length()) - 1);
}

data::Estimate LanguageModel::estimate(const Setting& of) const {
  const std::unique_ptr<tasks::Task> instances = make_task(of.files);
  const Index T = tokens_of(instances.get(), train_length);
  const double sequences = static_cast<double>(held_out),
               probes = instances ? static_cast<double>(instances->probes().size()) : 0;
  TrainingSizes sizes{.sequences = batch, .length = T, .held_out = held_out};
  const auto look_at = [&](double many, Index length) {
    sizes.looked_at.push_back({many * static_cast<double>(length), sequences_at_once(length), length});
  };
  for (const double times : multiple)
    look_at(sequences + static_cast<double>(sliding),
            tokens_of(instances.get(), train_length * static_cast<Index>(times)));
  look_at(sequences * (static_cast<double>(shift.size()) + 1 + probes), T);  // 1: without a shift
  return training_estimate(*this, of.layers(), network(of.scheme.model(), feed_of(instances.get()), reach(T)), sizes);
}

Index LanguageModel::model_train_length() const { return reach(tokens_of(make_task(no_files()).get(), train_length)); }

}  // namespace language_model

Experiment make_language_model() { return experiment_of<language_model::LanguageModel>(); }

}  // namespace poslab::experiments
