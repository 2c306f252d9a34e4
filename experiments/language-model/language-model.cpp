// SPDX-License-Identifier: Apache-2.0
// Trains a network to continue sequences, and asks how it fares on longer ones. Definitions: language-model.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluation.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/training_axes.hpp"
#include "poslab/experiment/training_estimate.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {
namespace language_model {
namespace {

using base::Index;

network::Capacity evaluated(Index length) { return {sequences_at_once(length), length, false}; }

// Of an instance of this size; of a text, whose file is not known here, its size.
Index tokens_of(const tasks::TaskInfo& info, Index size) {
  return info.needs_text ? size : info.make("")->tokens(size);
}

TrainingPlan plan_of(const ExperimentInput& input, const tasks::Task& task) {
  const Index T = input.axes.integer("train_length"), B = input.axes.integer("batch");
  const Index held_out =
      std::min<Index>(input.axes.integer("held_out"),
                      static_cast<Index>(std::min<std::uint64_t>(1'000'000, task.instances(tasks::Part::held_out, T))));
  TrainingPlan plan;
  plan.configuration =
      network_of(input.axes, input.scheme.model(), {task.alphabet(), task.vector_width()}, task.tokens(T));
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
  for (const double multiple : input.axes.list("multiple"))
    plan.evaluated_tokens += static_cast<double>(held_out + input.axes.integer("sliding")) *
                             static_cast<double>(task.tokens(T * static_cast<Index>(multiple)));
  plan.evaluated_tokens += static_cast<double>(held_out * task.tokens(T)) *
                           static_cast<double>(1 + input.axes.list("shift").size() + task.probes().size());
  plan.title = fmt::format("{}, {}", input.axes.text("task"), layers_text(input.axes));
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
Curves evaluate(const ExperimentInput& input, const tasks::Task& task, const TrainingPlan& plan,
                const TrainedNetwork<S>& trained, EvaluationProgress& progress) {
  const Index T = input.axes.integer("train_length"), windows = input.axes.integer("sliding");
  const base::Stream draws = input.draws.contents("task");
  Curves curves;
  for (const double multiple : input.axes.list("multiple")) {
    const Index size = T * static_cast<Index>(multiple), length = task.tokens(size);
    const bool served =
        input.scheme.why_not_positions(0, static_cast<double>(length - 1)).empty() && task.why_not(size).empty();
    curves.refused.push_back(served ? 0 : 1);
    Evaluation found;
    double sliding = std::nan("");
    if (served) {
      network::Network<S> network(plan.configuration, &input.scheme, *trained.layout, evaluated(length));
      found = evaluate_windows(network, *trained.parameters, task, draws, size, input.axes.integer("held_out"));
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
void record_at_trained_length(const ExperimentInput& input, const tasks::Task& task, const TrainingPlan& plan,
                              const TrainedNetwork<S>& trained, EvaluationProgress& progress, data::Record& record) {
  const Index T = input.axes.integer("train_length"), length = task.tokens(T);
  network::Network<S> network(plan.configuration, &input.scheme, *trained.layout, evaluated(length));
  const auto at = [&](Index shift, int probe) {
    Evaluation found = evaluate_windows(network, *trained.parameters, task, input.draws.contents("task"), T,
                                        input.axes.integer("held_out"), shift, probe);
    progress.looked_at(static_cast<double>(plan.held_out.sequences * length));
    return found;
  };
  const double unshifted = at(0, -1).loss;
  std::vector<double> losses, rises;
  for (const double shift : input.axes.list("shift")) {
    const bool served = input.scheme.why_not_positions(shift, shift + static_cast<double>(length - 1)).empty();
    losses.push_back(served ? at(static_cast<Index>(shift), -1).loss : std::nan(""));
    rises.push_back(losses.back() - unshifted);
  }
  record.coordinate("shift", input.axes.list("shift"));
  record.curve("loss_shifted", {"shift"}, losses);
  record.curve("rise_shifted", {"shift"}, rises);

  std::vector<double> probes, accuracies, gaps;
  for (std::size_t probe = 0; probe < task.probes().size(); ++probe)
    accuracies.push_back(at(0, static_cast<int>(probe)).accuracy);
  if (accuracies.empty()) accuracies.push_back(std::nan(""));
  for (std::size_t probe = 0; probe < accuracies.size(); ++probe) {
    probes.push_back(static_cast<double>(probe));
    gaps.push_back(probe + 1 < accuracies.size() ? accuracies[probe] - accuracies[probe + 1] : std::nan(""));
  }
  record.coordinate("probe", probes);
  record.curve("probe_accuracy", {"probe"}, accuracies);
  record.curve("probe_gap", {"probe"}, gaps);
}

void record_curves(const Curves& curves, const std::vector<double>& multiples, data::Record& record) {
  record.coordinate("multiple", multiples);
  std::vector<double> perplexity, ratio;
  for (const double loss : curves.loss) {
    perplexity.push_back(std::exp(loss));
    ratio.push_back(std::exp(loss - curves.loss.front()));
  }
  record.curve("loss", {"multiple"}, curves.loss);
  record.curve("perplexity", {"multiple"}, perplexity);
  record.curve("perplexity_ratio", {"multiple"}, ratio);
  record.curve("accuracy", {"multiple"}, curves.accuracy);
  record.curve("refused", {"multiple"}, curves.refused);
  record.curve("sliding_loss", {"multiple"}, curves.sliding);
  record.coordinate("position", numbers_below(std::ssize(curves.by_position)));
  record.curve("loss_by_position", {"position"}, curves.by_position);
  record.curve("accuracy_by_position", {"position"}, curves.accuracy_by_position);
  record.curve("best_loss_by_position", {"position"}, curves.best_by_position);
  record.curve("unordered_by_position", {"position"}, curves.unordered_by_position);
}

template <class S>
data::Record run_as(const ExperimentInput& input) {
  const std::unique_ptr<tasks::Task> task = make_task(input.axes, input.files);
  const TrainingPlan plan = plan_of(input, *task);
  const TrainedNetwork<S> trained = train<S>(input, plan);
  data::Record record;
  record_training(input, plan, trained, record);
  std::vector<double> multiples = input.axes.list("multiple");
  EvaluationProgress progress(input, plan);
  record_curves(evaluate(input, *task, plan, trained, progress), multiples, record);
  record_at_trained_length(input, *task, plan, trained, progress, record);
  const tasks::Bounds bounds = task->bounds(input.axes.integer("train_length"));
  record.scalar("chance_accuracy", bounds.chance_accuracy);
  record.scalar("best_loss", bounds.best_loss);
  record.scalar("unordered_accuracy", bounds.unordered_accuracy);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return run_as<decltype(scalar)>(input); });
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  const std::vector<double>& multiples = axes.list("multiple");
  if (multiples.empty()) return "the list of multiples is empty: there is no length to look at";
  for (std::size_t i = 0; i < multiples.size(); ++i)
    if (multiples[i] != std::trunc(multiples[i]) || (i > 0 && multiples[i] <= multiples[i - 1]))
      return "multiples are whole numbers that rise, but one is " + data::to_text(multiples[i]);
  const std::vector<double>& shifts = axes.list("shift");
  if (shifts.empty()) return "the list of shifts is empty: [0] measures none";
  for (std::size_t i = 0; i < shifts.size(); ++i)
    if (shifts[i] != std::trunc(shifts[i]) || (i > 0 && shifts[i] <= shifts[i - 1]))
      return "shifts are whole numbers that rise, but one is " + data::to_text(shifts[i]);
  if (std::string reason = why_not_trained(scheme, axes, info, placement); !reason.empty()) return reason;
  const Index T = axes.integer("train_length");
  if (!info.needs_text)
    if (std::string reason = info.make("")->why_not(T); !reason.empty()) return reason;
  return scheme.why_not_positions(0, static_cast<double>(tokens_of(info, T)) - 1);
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  const Index T = tokens_of(info, axes.integer("train_length"));
  const double held_out = axes.real("held_out"),
               probes = info.needs_text ? 0 : static_cast<double>(info.make("")->probes().size());
  TrainingSizes sizes{axes.integer("batch"), T, axes.integer("held_out"), {}};
  const auto look_at = [&](double sequences, Index length) {
    sizes.looked_at.push_back({sequences * static_cast<double>(length), sequences_at_once(length), length});
  };
  for (const double multiple : axes.list("multiple"))
    look_at(held_out + axes.real("sliding"),
            tokens_of(info, axes.integer("train_length") * static_cast<Index>(multiple)));
  look_at(held_out * (static_cast<double>(axes.list("shift").size()) + 1 + probes), T);  // 1: without a shift
  return training_estimate(scheme, axes, network_of(axes, scheme.model(), feed_of(info), T), sizes);
}

// Tokens, not the size: the two differ for tasks that ask after a prompt.
Index train_length(const data::Values& axes) {
  return tokens_of(tasks::find_task(axes.text("task")), axes.integer("train_length"));
}
Index layers(const data::Values& axes) { return axes.integer("layers"); }

std::string why_not_files(const data::Values& axes, const Files& files) {
  if (std::string reason = why_not_files_of_task(axes, files); !reason.empty()) return reason;
  return make_task(axes, files)->why_not(axes.integer("train_length"));
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

}  // namespace language_model

Experiment make_language_model() {
  using namespace language_model;
  Experiment experiment{describe(), why_skip, estimate, run, train_length, column(), answer};
  experiment.needs = files_of_task;
  experiment.why_not_files = why_not_files;
  experiment.layers = layers;
  return experiment;
}

}  // namespace poslab::experiments
