// SPDX-License-Identifier: Apache-2.0
#include "poslab/training/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/data/archive.hpp"

namespace poslab::training {

namespace {

constexpr const char* against_divergence = "a lower learning_rate, a longer warm_up or a smaller clip may help";

}  // namespace

Diverged::Diverged(std::uint64_t step, double loss, double gradient_norm, double learning_rate)
    : Error(Kind::numeric,
            fmt::format("training diverged at step {}: the loss is {} and the norm of its gradient {} at a learning "
                        "rate of {:.3g}",
                        step, loss, gradient_norm, learning_rate),
            against_divergence) {}

Diverged::Diverged(std::uint64_t step, const std::string& what, double learning_rate)
    : Error(Kind::numeric,
            fmt::format("training diverged at step {}, at a learning rate of {:.3g}: {}", step, learning_rate, what),
            against_divergence) {}

base::Error other_checkpoint(std::size_t bytes, std::size_t expected) {
  return {base::Error::Kind::damaged,
          fmt::format("a checkpoint of {} bytes, where this training keeps {}", bytes, expected)};
}

template <class S>
Trainer<S>::Trainer(const network::Configuration& configuration, const host::LayerSchemes& schemes,
                    network::Parameters<S> parameters, const AdamWOptions& options, const Schedule& schedule,
                    const network::Capacity& largest)
    : schedule_(schedule),
      parameters_(std::move(parameters)),
      gradient_(parameters_.layout()),
      optimiser_(parameters_.layout(), options),
      is_length_free_(schemes.are_length_free()),
      network_(configuration, schemes, parameters_.layout(), {largest.sequences, largest.length, true}) {}

// After the first step a number that a scheme's operation makes none of is the training's doing.
template <class S>
double Trainer<S>::loss_of(const network::Batch& batch, double learning_rate) {
  try {
    return differentiate(batch);
  } catch (const base::Error& error) {
    if (error.kind != base::Error::Kind::numeric || optimiser_.steps() == 0) throw;
    throw Diverged(optimiser_.steps() + 1, error.what(), learning_rate);
  }
}

template <class S>
double Trainer<S>::differentiate(const network::Batch& batch) {
  const bool differ = batch.lengths.data && !is_length_free_;  // a scheme is told the length of a sequence
  if (batch.has_own_positions() || differ) return differentiate_one_by_one(batch);
  return network::mean_loss(network_.differentiate(parameters_, batch, gradient_), batch.loss_mask);
}

// The mean over the tokens that count of all sequences: each has a share of as many as it has itself.
template <class S>
double Trainer<S>::differentiate_one_by_one(const network::Batch& batch) {
  if (!share_) share_ = std::make_unique<network::Parameters<S>>(parameters_.layout());
  const auto asked = [](const network::Batch& of) {
    return static_cast<double>(std::count_if(of.loss_mask.begin(), of.loss_mask.end(), [](auto m) { return m != 0; }));
  };
  const double all = asked(batch);
  network::MeanLoss loss;
  std::fill(gradient_.flat().begin(), gradient_.flat().end(), S(0));
  for (Index b = 0; b < batch.tokens.shape[0]; ++b) {
    const network::Batch one = batch.sequence(b);
    if (asked(one) == 0) continue;
    loss.add(network_.differentiate(parameters_, one, *share_), one.loss_mask);
    const S factor = static_cast<S>(asked(one) / all);
    for (std::size_t i = 0; i < gradient_.flat().size(); ++i) gradient_.flat()[i] += factor * share_->flat()[i];
  }
  return loss.value();
}

template <class S>
StepReport Trainer<S>::step(const network::Batch& batch) {
  StepReport report;
  report.learning_rate = schedule_.rate(optimiser_.steps());
  report.loss = loss_of(batch, report.learning_rate);
  report.gradient_norm = optimiser_.step(report.learning_rate, gradient_, parameters_);
  if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm))
    throw Diverged(optimiser_.steps(), report.loss, report.gradient_norm, report.learning_rate);
  return report;
}

template <class S>
std::string Trainer<S>::state() const {
  data::Writer out;
  out(optimiser_.steps());
  for (const network::Parameters<S>* numbers : {&parameters_, &optimiser_.first(), &optimiser_.second()})
    out.block(numbers->flat());
  return std::move(out).finish();
}

template <class S>
void Trainer<S>::resume(std::string_view state) {
  std::uint64_t steps = 0;
  const std::size_t expected = sizeof steps + 3 * parameters_.flat().size_bytes();
  if (state.size() != expected) throw other_checkpoint(state.size(), expected);
  data::Reader in(state);
  in(steps);
  for (network::Parameters<S>* numbers : {&parameters_, &optimiser_.first(), &optimiser_.second()})
    in.block(numbers->flat());
  optimiser_.resume(steps);
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace poslab::training
