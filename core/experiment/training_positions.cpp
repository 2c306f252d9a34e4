// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/training_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "poslab/base/subset.hpp"

namespace poslab::experiments {
namespace {

using base::Index;

std::vector<double> consecutive(Index first, Index count) {
  std::vector<double> positions;
  for (Index t = 0; t < count; ++t) positions.push_back(static_cast<double>(first + t));
  return positions;
}

// `count` different numbers below `range`, whole or real, rising; every set of them as likely as any other.
std::vector<double> rising_draw(const base::Stream& stream, Index count, Index range, bool whole) {
  std::vector<double> positions;
  if (whole)
    for (const Index one : base::drawn_subset(stream, count, range)) positions.push_back(static_cast<double>(one));
  else
    for (std::uint64_t t = 0; t < static_cast<std::uint64_t>(count); ++t)
      positions.push_back(static_cast<double>(range) * stream.uniform(t));
  std::sort(positions.begin(), positions.end());
  return positions;
}

// How positions are drawn.
struct Drawn {
  TrainPositions how;
  Index range;
  double max_shift, max_local_shift, max_scaling;
};

// Likhomanenko et al. 2021 (NeurIPS; arXiv:2106.03143), global shift, local shift, global scaling.
std::vector<double> augmented(const Drawn& drawn, const base::Stream& stream, Index count) {
  const auto between = [&](std::uint64_t draw, double most) { return most * (2 * stream.uniform(draw) - 1); };
  const double shift = between(0, drawn.max_shift), scaling = std::exp(between(1, std::log(drawn.max_scaling)));
  std::vector<double> positions;
  for (Index t = 0; t < count; ++t) {
    const double local_shift = between(2 + static_cast<std::uint64_t>(t), drawn.max_local_shift);
    positions.push_back((static_cast<double>(t) + shift + local_shift) * scaling);
  }
  return positions;
}

// The positions of one training instance.
std::vector<double> positions_of(const Drawn& drawn, const base::Stream& stream, Index count) {
  if (drawn.how == TrainPositions::augmented) return augmented(drawn, stream, count);
  if (drawn.how == TrainPositions::shifted)
    return consecutive(static_cast<Index>(stream.below(0, static_cast<std::uint64_t>(drawn.range - count + 1))), count);
  return rising_draw(stream, count, drawn.range, drawn.how == TrainPositions::randomised);
}

Drawn drawn_by(const TrainingDefinition& at) {
  return {at.train_positions, at.train_range, at.max_global_shift, at.max_local_shift, at.max_global_scaling};
}

void place_measured(const Drawn& drawn, const data::Draws& draws, std::uint64_t first, training::TaskBatch& batch) {
  batch.place([&](Index sequence, Index length) {
    const Index i = static_cast<Index>(first) + sequence;
    return positions_of(drawn, draws.contents("measured positions", {length, i}), length);
  });
}

}  // namespace

void place_as_trained(const TrainingDefinition& at, const ExperimentInput& input, std::uint64_t first,
                      training::TaskBatch& batch) {
  if (at.draws_positions()) place_measured(drawn_by(at), input.draws, first, batch);
}

void place_sequences(const TrainingDefinition& at, const ExperimentInput& input, TrainingPlan& plan,
                     Measured held_out) {
  const auto fill = plan.fill;
  if (input.placement.is_grid()) {
    plan.fill = [fill](std::uint64_t step, training::TaskBatch& batch) {
      fill(step, batch);
      batch.place_on_grid();
    };
    plan.fill_held_out = [fill_held_out = plan.fill_held_out](training::TaskBatch& batch) {
      fill_held_out(batch);
      batch.place_on_grid();
    };
    return;
  }
  if (at.train_positions == TrainPositions::plain) return;
  if (at.train_positions == TrainPositions::packed) {
    plan.fill = [fill](std::uint64_t step, training::TaskBatch& batch) {
      fill(step, batch);
      batch.pack();
    };
    plan.largest = at.update_of(plan.largest.sequences, plan.largest.length);
    return;
  }
  const Drawn drawn = drawn_by(at);
  const Index batch_size = at.batch;
  plan.fill = [fill, draws = input.draws, drawn, batch_size](std::uint64_t step, training::TaskBatch& batch) {
    fill(step, batch);
    batch.place([&](Index sequence, Index length) {
      const Index i = static_cast<Index>(step) * batch_size + sequence;
      return positions_of(drawn, draws.contents("train positions", {i}), length);
    });
  };
  if (held_out == Measured::plain) return;
  plan.fill_held_out = [fill_held_out = plan.fill_held_out, draws = input.draws, drawn](training::TaskBatch& batch) {
    fill_held_out(batch);
    place_measured(drawn, draws, 0, batch);
  };
}

double last_position(const data::Placement& placement, const tasks::Task& task, Index size) {
  const std::vector<Index> grid = task.grid(size);
  if (placement.is_grid() && !grid.empty()) return static_cast<double>(*std::max_element(grid.begin(), grid.end()) - 1);
  return static_cast<double>(task.tokens(size) - 1);
}

std::optional<base::Refusal> TrainingDefinition::why_not_placed(const Setting& of, Index size, Index tokens) const {
  const data::Placement& placement = of.placement;
  const bool is_plain = train_positions == TrainPositions::plain;
  if (placement.is_grid()) {
    if (!is_plain)
      return "train_positions are of sequences in a line, and positions = " + placement.text() + " of images";
    const std::vector<Index> grid = task_info().file.empty() ? task_info().make("")->grid(size) : std::vector<Index>();
    if (grid.empty()) return "the task " + task + " has sequences in a line, and no images on a grid";
    if (grid != placement.extents)
      return fmt::format("the largest images trained on have {} patches, not those of positions = {}",
                         fmt::join(grid, " x "), placement.text());
    return std::nullopt;
  }
  if (!placement.is_plain())
    return "training takes the positions 0, 1, 2, ..., or a grid; where else its sequences stand is the axis "
           "train_positions";
  if (is_plain) return std::nullopt;
  if (train_positions == TrainPositions::packed)
    return is_decoder() ? std::nullopt
                        : std::optional<base::Refusal>(
                              "packed sequences are for decoders: an encoder would see two instances at once");
  return why_not_drawn(of.layers(), tokens);
}

std::optional<base::Refusal> TrainingDefinition::why_not_drawn(const host::LayerSchemes& schemes, Index tokens) const {
  if (train_positions == TrainPositions::augmented) {
    const double shift = max_global_shift + max_local_shift;
    return schemes.why_not_positions(-shift * max_global_scaling - 0.25,
                                     (static_cast<double>(tokens - 1) + shift) * max_global_scaling + 0.25);
  }
  if (train_range < tokens) return fmt::format("train_range = {} has no room for {} tokens", train_range, tokens);
  const double between = train_positions == TrainPositions::random_reals ? 0.5 : 0;
  return schemes.why_not_positions(between, static_cast<double>(train_range) - 1 + between);
}

network::Capacity TrainingDefinition::update_of(Index sequences, Index tokens) const {
  if (train_positions == TrainPositions::packed) return {(sequences + 1) / 2, 2 * tokens, true};
  return {sequences, tokens, true};
}

Index TrainingDefinition::reach(Index tokens) const {
  const bool is_ranged = draws_positions() && train_positions != TrainPositions::augmented;
  return is_ranged ? std::max(tokens, train_range) : tokens;
}

}  // namespace poslab::experiments
