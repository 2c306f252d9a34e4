// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "poslab/data/archive.hpp"
#include "poslab/experiment/given_network.hpp"
#include "poslab/training/trainer.hpp"

namespace poslab::experiments {
namespace {

// A point of the curves, or of the held-out loss, is made every so many steps.
constexpr std::uint64_t curve_points = 200, held_out_points = 20;
std::uint64_t steps_between(std::uint64_t steps, std::uint64_t points) {
  return std::max<std::uint64_t>(1, steps / points);
}
std::uint64_t steps_between_held_out(std::uint64_t steps, bool may_stop) {
  return steps_between(steps, may_stop ? curve_points : held_out_points);
}

// Sums of the steps since the last point of the curves.
struct Running {
  double loss = 0, gradient_norm = 0, steps = 0;
};

// A checkpoint is the history, the running sums and the trainer's state, one after the other.
template <class Archive, class History>
void archive_history(Archive& archive, History& history, std::vector<double>& sums) {
  archive(history.step, history.training_loss, history.gradient_norm, history.learning_rate, history.held_out_step,
          history.held_out_loss, sums);
}

template <class S>
std::string pack(const TrainingHistory& history, const Running& running, const training::Trainer<S>& trainer) {
  data::Writer out;
  std::vector<double> sums{running.loss, running.gradient_norm, running.steps};
  archive_history(out, history, sums);
  return std::move(out).finish() + trainer.state();
}

template <class S>
void unpack(std::string_view bytes, TrainingHistory& history, Running& running, training::Trainer<S>& trainer) {
  data::Reader in(bytes);
  std::vector<double> sums;
  archive_history(in, history, sums);
  if (sums.size() != 3) throw training::other_checkpoint(sums.size(), 3);
  running = {sums[0], sums[1], sums[2]};
  trainer.resume(in.rest());
}

template <class S>
double loss_on(network::Network<S>& network, const network::Parameters<S>& parameters, const network::Batch& batch) {
  const base::Index all = batch.tokens.shape[0],
                    some = batch.has_own_positions() ? 1 : sequences_at_once(batch.tokens.shape[1]);
  network::MeanLoss mean;
  for (base::Index first = 0; first < all; first += some) {
    const network::Batch part =
        batch.has_own_positions() ? batch.sequence(first) : batch.rows(first, std::min(some, all - first));
    mean.add(network.evaluate(parameters, part), part.loss_mask);
  }
  return mean.value();
}

// After an update: what it spoilt, no step may see any more.
template <class S>
double held_out_loss(network::Network<S>& network, const training::Trainer<S>& trainer, const network::Batch& batch,
                     const training::StepReport& last) {
  double loss = 0;
  try {
    loss = loss_on(network, trainer.parameters(), batch);
  } catch (const base::Error& error) {  // a scheme's operation that makes no number
    if (error.kind != base::Error::Kind::numeric) throw;
    throw training::Diverged(trainer.steps(), error.what(), last.learning_rate);
  }
  if (!std::isfinite(loss)) throw training::Diverged(trainer.steps(), loss, last.gradient_norm, last.learning_rate);
  return loss;
}

// All numbers of the scheme that training may change, of all layers.
template <class S>
std::vector<S> scheme_numbers(const network::Layout& layout, const network::Parameters<S>& parameters) {
  std::vector<S> numbers;
  for (network::ParameterIndex index = 0; index < static_cast<network::ParameterIndex>(layout.parameters().size());
       ++index) {
    const network::ParameterInfo& info = layout.at(index);
    const base::View<const S> view = parameters[index];
    if (info.of_scheme && !info.frozen) numbers.insert(numbers.end(), view.begin(), view.end());
  }
  return numbers;
}

// In how many numbers nothing has changed, not even the last bit.
template <class S>
base::Index same_bits(const std::vector<S>& before, const std::vector<S>& after) {
  using Bits = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  base::Index same = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    same += std::bit_cast<Bits>(before[i]) == std::bit_cast<Bits>(after[i]);
  return same;
}

template <class S>
std::unique_ptr<network::Parameters<S>> copied(const network::Parameters<S>& of) {
  auto copy = std::make_unique<network::Parameters<S>>(of.layout());
  std::copy(of.flat().begin(), of.flat().end(), copy->flat().begin());
  return copy;
}

std::string sentence(std::uint64_t step, std::uint64_t steps, double loss) {
  return fmt::format("step {} of {}, loss {:.3f}", step, steps, loss);
}

}  // namespace

void TrainingHistory::no_step() {
  step.push_back(0);
  for (std::vector<double>* curve : {&training_loss, &gradient_norm, &learning_rate}) curve->push_back(std::nan(""));
}

std::uint64_t held_out_points_of(std::uint64_t steps, bool may_stop) {
  const std::uint64_t every = steps_between_held_out(steps, may_stop);
  return std::max<std::uint64_t>(1, (steps + every - 1) / every);
}

base::Index sequences_at_once(base::Index tokens) {
  constexpr base::Index rows = 4096;
  return std::max<base::Index>(1, rows / tokens);
}

std::uint64_t TrainingPlan::steps_of_cell(std::uint64_t trained) const {
  const auto tokens_of_step = static_cast<double>(largest.sequences * largest.length);
  return trained + static_cast<std::uint64_t>(std::ceil(evaluated_tokens / (3 * tokens_of_step)));
}

EvaluationProgress::EvaluationProgress(Attempt& attempt, const TrainingPlan& plan)
    : attempt_(attempt),
      trained_(plan.schedule.steps),
      all_(plan.steps_of_cell(trained_)),
      evaluated_tokens_(plan.evaluated_tokens) {}

void EvaluationProgress::looked_at(double tokens) {
  looked_at_ += tokens;
  const double share = std::min(1.0, looked_at_ / evaluated_tokens_);
  const auto steps = static_cast<std::uint64_t>(share * static_cast<double>(all_ - trained_));
  attempt_.progress({trained_ + steps, all_, 0, fmt::format("trained, {:.0f} % evaluated", 100 * share)});
}

template <class S>
TrainedNetwork<S> train(const ExperimentInput& input, const TrainingPlan& plan) {
  TrainedNetwork<S> out;
  const host::LayerSchemes schemes = input.layers();
  out.layout = std::make_unique<network::Layout>(plan.configuration, schemes);
  auto initial = network::draw_parameters<S>(*out.layout, schemes, input.draws);
  // The scheme's own weights may have been given to the cell: training then goes on from them.
  network::set_scheme_weights<S>(layer_weights_of(input, plan.configuration.layers), initial);
  if (input.network) set_network_arrays(*input.network, initial);
  const std::vector<S> before = scheme_numbers<S>(*out.layout, initial);
  const training::Schedule& schedule = plan.schedule;
  training::Trainer<S> trainer(plan.configuration, schemes, std::move(initial), plan.optimiser, schedule, plan.largest);
  if (plan.with_moments && input.network && has_moments(*input.network)) take_moments(*input.network, trainer);
  Running running;
  if (!input.attempt.checkpoint().empty()) unpack<S>(input.attempt.checkpoint(), out.history, running, trainer);
  network::Network<S> evaluator(
      plan.configuration, schemes, *out.layout,
      {std::min(plan.held_out.sequences, sequences_at_once(plan.held_out.length)), plan.held_out.length, false});
  training::TaskBatch batch, held_out;
  plan.fill_held_out(held_out);
  const std::uint64_t every = steps_between(schedule.steps, curve_points),
                      held_out_every = steps_between_held_out(schedule.steps, plan.stop_loss > 0),
                      all = plan.steps_of_cell(schedule.steps);
  // A network that goes on sees other batches than those of its first training.
  const std::uint64_t seen = input.network ? batches_seen_by(*input.network) : 0;
  const auto measure_held_out = [&](std::uint64_t step, const training::StepReport& last) {
    out.history.held_out_step.push_back(static_cast<double>(step));
    out.history.held_out_loss.push_back(held_out_loss(evaluator, trainer, held_out.view(), last));
  };
  const auto has_ended = [&] {
    const std::vector<double>& losses = out.history.held_out_loss;
    return trainer.steps() == schedule.steps ||
           (plan.stop_loss > 0 && !losses.empty() && losses.back() <= plan.stop_loss);
  };
  if (trainer.steps() == 0 && (input.network || schedule.steps == 0)) measure_held_out(0, {});
  if (trainer.steps() == 0 && has_ended()) out.history.no_step();
  std::uint64_t tokens = 0;
  while (!has_ended()) {
    batch.clear();
    plan.fill(seen + trainer.steps(), batch);
    const network::Batch view = batch.view();
    const training::StepReport report = trainer.step(view);
    tokens += static_cast<std::uint64_t>(view.tokens.size());
    running = {running.loss + report.loss, running.gradient_norm + report.gradient_norm, running.steps + 1};
    const std::uint64_t step = trainer.steps();
    if (step % held_out_every == 0 || step == schedule.steps) measure_held_out(step, report);
    if (step % every == 0 || has_ended()) {
      out.history.step.push_back(static_cast<double>(step));
      out.history.training_loss.push_back(running.loss / running.steps);
      out.history.gradient_norm.push_back(running.gradient_norm / running.steps);
      out.history.learning_rate.push_back(report.learning_rate);
      running = {};
    }
    if (input.attempt.progress({step, all, tokens, sentence(step, schedule.steps, report.loss)}))
      input.attempt.keep(pack(out.history, running, trainer));
  }
  out.parameters = copied(trainer.parameters());
  if (plan.keep_weights && plan.with_moments) {
    out.first_moment = copied(trainer.optimiser().first());
    out.second_moment = copied(trainer.optimiser().second());
    out.optimiser_steps = trainer.optimiser().steps();
  }
  out.steps = trainer.steps();
  out.batches_seen = seen + out.steps;
  out.scheme_untouched = same_bits(before, scheme_numbers<S>(*out.layout, *out.parameters));
  return out;
}

template TrainedNetwork<float> train<float>(const ExperimentInput&, const TrainingPlan&);
template TrainedNetwork<double> train<double>(const ExperimentInput&, const TrainingPlan&);

}  // namespace poslab::experiments
