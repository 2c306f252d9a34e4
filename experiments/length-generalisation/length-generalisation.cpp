// SPDX-License-Identifier: Apache-2.0
// Trains a network on small instances of a task, and asks how it fares on larger ones. Definitions:
// length-generalisation.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/experiment/training_axes.hpp"
#include "poslab/experiment/training_estimate.hpp"
#include "poslab/experiment/training_run.hpp"
#include "sizes.hpp"

namespace poslab::experiments {
namespace length_generalisation {
namespace {

using base::Index;

Index trained_tokens(const tasks::Task& task, const TrainedSizes& sizes) {
  Index most = 1;
  for (const Index size : sizes.all) most = std::max(most, task.tokens(size));
  return most;
}

TrainingPlan plan_of(const ExperimentInput& input, const tasks::Task& task) {
  const TrainedSizes sizes = trained_sizes(task, input.axes);
  const Index B = input.axes.integer("batch"), held_out = input.axes.integer("held_out"),
              T = trained_tokens(task, sizes);
  TrainingPlan plan;
  plan.configuration = network_of(input.axes, input.scheme.model(), {task.alphabet(), task.vector_width()}, T);
  plan.largest = {B, T, true};
  plan.held_out = {held_out, T, false};
  const base::Stream draws = input.draws.contents("task"), order = input.draws.contents("sizes");
  const bool alike = !plan.configuration.causal;  // an encoder sees what a sequence is filled up with
  plan.fill = [&task, sizes, draws, order, B, alike](std::uint64_t step, training::TaskBatch& batch) {
    for (Index b = 0; b < B; ++b) {
      const std::uint64_t i = step * static_cast<std::uint64_t>(B) + static_cast<std::uint64_t>(b);
      const std::uint64_t draw = alike ? step * static_cast<std::uint64_t>(B) : i;
      batch.add(task.sample(draws, tasks::Part::training, i, sizes.all[order.below(draw, sizes.all.size())]));
    }
  };
  plan.fill_held_out = [&task, sizes, draws, held_out](training::TaskBatch& batch) {
    for (Index b = 0; b < held_out; ++b)
      batch.add(task.sample(draws, tasks::Part::held_out, static_cast<std::uint64_t>(b), sizes.all.back()));
  };
  for (const double size : input.axes.list("size"))
    if (task.why_not(static_cast<Index>(size)).empty())
      plan.evaluated_tokens += static_cast<double>(held_out * task.tokens(static_cast<Index>(size)));
  plan.title = fmt::format("{} up to size {}, {}", input.axes.text("task"), sizes.all.back(), layers_text(input.axes));
  return plan;
}

struct Curves {
  std::vector<double> loss, accuracy, exact, chance, unordered, refused;
};

template <class S>
Curves evaluate(const ExperimentInput& input, const tasks::Task& task, const TrainingPlan& plan,
                const TrainedNetwork<S>& trained) {
  EvaluationProgress progress(input, plan);
  const base::Stream draws = input.draws.contents("task");
  Curves curves;
  for (const double wanted : input.axes.list("size")) {
    const auto size = static_cast<Index>(wanted);
    const Index T = task.tokens(size);
    const bool served =
        task.why_not(size).empty() && input.scheme.why_not_positions(0, static_cast<double>(T - 1)).empty();
    curves.refused.push_back(served ? 0 : 1);
    Score score;
    tasks::Bounds bounds;
    if (served) {
      network::Network<S> network(plan.configuration, &input.scheme, *trained.layout,
                                  {std::min(sequences_at_once(T), input.axes.integer("held_out")), T, false});
      score = score_of(network, *trained.parameters, task, draws, size, input.axes.integer("held_out"));
      bounds = task.bounds(size);
    }
    if (task.why_not(size).empty()) progress.looked_at(static_cast<double>(plan.held_out.sequences * T));
    curves.loss.push_back(score.loss);
    curves.accuracy.push_back(score.accuracy);
    curves.exact.push_back(score.exact);
    curves.chance.push_back(bounds.chance_accuracy);
    curves.unordered.push_back(bounds.unordered_accuracy);
  }
  return curves;
}

// Means of a curve over the sizes up to the largest trained one, and beyond it.
void record_means(const std::string& name, const std::vector<double>& sizes, const std::vector<double>& curve,
                  double largest, data::Record& record) {
  double within = 0, beyond = 0, near = 0, far = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    (sizes[i] <= largest ? within : beyond) += curve[i];
    (sizes[i] <= largest ? near : far) += 1;
  }
  record.scalar(name + "_within", near > 0 ? within / near : std::nan(""));
  record.scalar(name + "_beyond", far > 0 ? beyond / far : std::nan(""));
}

template <class S>
data::Record run_as(const ExperimentInput& input) {
  const std::unique_ptr<tasks::Task> task = make_task(input.axes, input.files);
  const TrainingPlan plan = plan_of(input, *task);
  const TrainedNetwork<S> trained = train<S>(input, plan);
  data::Record record;
  record_training(input, plan, trained, record);
  const Curves curves = evaluate(input, *task, plan, trained);
  const std::vector<double>& sizes = input.axes.list("size");
  record.coordinate("size", sizes);
  record.curve("loss", {"size"}, curves.loss);
  record.curve("accuracy", {"size"}, curves.accuracy);
  record.curve("exact", {"size"}, curves.exact);
  record.curve("chance", {"size"}, curves.chance);
  record.curve("unordered", {"size"}, curves.unordered);
  record.curve("refused", {"size"}, curves.refused);
  const double largest = input.axes.real("largest");
  record_means("accuracy", sizes, curves.accuracy, largest, record);
  record_means("exact", sizes, curves.exact, largest, record);
  const tasks::Bounds bounds = task->bounds(trained_sizes(*task, input.axes).all.back());
  record.scalar("chance_accuracy", bounds.chance_accuracy);
  record.scalar("best_loss", bounds.best_loss);
  return record;
}

data::Record run(const ExperimentInput& input) {
  return with_dtype(input.axes, [&](auto scalar) { return run_as<decltype(scalar)>(input); });
}

// The tokens of the largest trained size; of a text, whose file is not known here, its size.
Index train_length(const data::Values& axes) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  if (info.needs_text) return axes.integer("largest");
  const std::unique_ptr<tasks::Task> task = info.make("");
  const TrainedSizes sizes = trained_sizes(*task, axes);
  return sizes.all.empty() ? axes.integer("largest") : trained_tokens(*task, sizes);
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  const std::vector<double>& list = axes.list("size");
  const std::int64_t smallest = axes.integer("smallest"), largest = axes.integer("largest");
  if (list.empty()) return "the list of sizes is empty: there is nothing to look at";
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] != std::trunc(list[i]) || (i > 0 && list[i] <= list[i - 1]))
      return "sizes are whole numbers that rise, but one is " + data::to_text(list[i]);
  if (smallest > largest)
    return fmt::format("the smallest size trained on is {}, above the largest, {}", smallest, largest);
  if (!info.needs_text && trained_sizes(*info.make(""), axes).all.empty())
    return fmt::format("{} has no instance of a size in {} to {}: {}", info.id, smallest, largest,
                       info.make("")->why_not(largest));
  if (std::string reason = why_not_trained(scheme, axes, info, placement); !reason.empty()) return reason;
  return scheme.why_not_positions(0, static_cast<double>(train_length(axes)) - 1);
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const tasks::TaskInfo& info = tasks::find_task(axes.text("task"));
  const Index T = train_length(axes), held_out = axes.integer("held_out");
  TrainingSizes sizes{axes.integer("batch"), T, held_out, {}};
  const std::unique_ptr<tasks::Task> task = info.needs_text ? nullptr : info.make("");
  for (const double wanted : axes.list("size")) {
    const auto size = static_cast<Index>(wanted);
    if (task && !task->why_not(size).empty()) continue;
    const Index length = task ? task->tokens(size) : size;
    sizes.looked_at.push_back(
        {static_cast<double>(held_out * length), std::min(sequences_at_once(length), held_out), length});
  }
  return training_estimate(scheme, axes, network_of(axes, scheme.model(), feed_of(info), T), sizes);
}

Index layers(const data::Values& axes) { return axes.integer("layers"); }

std::string why_not_files(const data::Values& axes, const Files& files) {
  if (std::string reason = why_not_files_of_task(axes, files); !reason.empty()) return reason;
  return make_task(axes, files)->why_not(axes.integer("largest"));
}

}  // namespace

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

}  // namespace length_generalisation

Experiment make_length_generalisation() {
  using namespace length_generalisation;
  Experiment experiment{describe(), why_skip, estimate, run, train_length, column(), answer};
  experiment.needs = files_of_task;
  experiment.why_not_files = why_not_files;
  experiment.layers = layers;
  return experiment;
}

}  // namespace poslab::experiments
