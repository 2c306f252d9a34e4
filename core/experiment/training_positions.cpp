// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/training_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// The positions of one training instance.
std::vector<double> positions_of(TrainPositions how, const base::Stream& draws, Index count, Index range) {
  if (how == TrainPositions::shifted)
    return consecutive(static_cast<Index>(draws.below(0, static_cast<std::uint64_t>(range - count + 1))), count);
  return rising_draw(draws, count, range, how == TrainPositions::randomised);
}

}  // namespace

void place_sequences(const TrainingDefinition& at, const ExperimentInput& input, TrainingPlan& plan) {
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
  const Index batch_size = at.batch, range = at.train_range;
  plan.fill = [fill, draws = input.draws, how = at.train_positions, batch_size, range](std::uint64_t step,
                                                                                       training::TaskBatch& batch) {
    fill(step, batch);
    batch.place([&](Index sequence, Index length) {
      const Index i = static_cast<Index>(step) * batch_size + sequence;
      return positions_of(how, draws.contents("train positions", {i}), length, range);
    });
  };
}

double last_position(const data::Placement& placement, const tasks::Task& task, Index size) {
  const std::vector<Index> grid = task.grid(size);
  if (placement.is_grid() && !grid.empty()) return static_cast<double>(*std::max_element(grid.begin(), grid.end()) - 1);
  return static_cast<double>(task.tokens(size) - 1);
}

std::string TrainingDefinition::why_not_placed(const Setting& of, Index size, Index tokens) const {
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
    return "";
  }
  if (!placement.is_plain())
    return "training takes the positions 0, 1, 2, ..., or a grid; where else its sequences stand is the axis "
           "train_positions";
  if (is_plain) return "";
  if (train_positions == TrainPositions::packed)
    return is_decoder() ? "" : "packed sequences are for decoders: an encoder would see two instances at once";
  if (train_range < tokens) return fmt::format("train_range = {} has no room for {} tokens", train_range, tokens);
  const double between = train_positions == TrainPositions::random_reals ? 0.5 : 0;
  return of.layers().why_not_positions(between, static_cast<double>(train_range) - 1 + between);
}

network::Capacity TrainingDefinition::update_of(Index sequences, Index tokens) const {
  if (train_positions == TrainPositions::packed) return {(sequences + 1) / 2, 2 * tokens, true};
  return {sequences, tokens, true};
}

Index TrainingDefinition::reach(Index tokens) const {
  const bool is_line = train_positions == TrainPositions::plain || train_positions == TrainPositions::packed;
  return is_line ? tokens : std::max(tokens, train_range);
}

}  // namespace poslab::experiments
