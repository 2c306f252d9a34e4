// SPDX-License-Identifier: Apache-2.0
// Dimension letters: D model width, F feed-forward width, H heads, L layers, T tokens, V vocabulary, W width of
// vectors.
#include "poslab/experiment/training_estimate.hpp"

#include <algorithm>

#include "poslab/attention/attention.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/rate_search.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {
namespace {

// Norms, GELU, softmax and copies, forward: for a number of the stream, the feed-forward layer or the attention.
constexpr double steps_of_a_number = 6;
constexpr double forward_and_backward = 3;  // times the forward pass

// A training::TaskBatch: what was added, with room to grow, and what is handed out; two numbers for its positions.
double bytes_of_batch(base::Index sequences, base::Index length, base::Index vector_width) {
  const double a_vector = 8 * static_cast<double>(vector_width), a_token = 2 * (12 + a_vector) + 9 + a_vector + 2 * 8;
  return static_cast<double>(sequences * length) * a_token;
}

bool go_one_by_one(const TrainingDefinition& at, const host::LayerSchemes& schemes, const TrainingSizes& sizes) {
  return at.train_positions != TrainPositions::plain || (sizes.lengths_differ && !schemes.are_length_free());
}

double bytes_at_peak(const TrainingDefinition& at, const host::LayerSchemes& schemes, const network::Configuration& c,
                     const TrainingSizes& sizes, double numbers) {
  const Needs needs(schemes, at.dtype);
  const auto bytes = [&](const network::Capacity& capacity) { return needs.network_of(c, capacity); };
  const double array = needs.bytes * numbers;
  const base::Index T = sizes.length, held_out = std::min(sizes.held_out, sequences_at_once(T));
  const network::Capacity update = at.update_of(sizes.sequences, T);
  const double shares = go_one_by_one(at, schemes, sizes) ? array : 0;
  // Parameters, gradient, two moments; those of the scheme as they were; a checkpoint of three, put together from two.
  const double training = (5 + 6) * array + shares + bytes(update) + bytes({held_out, T, false}) +
                          bytes_of_batch(update.sequences, update.length, c.vector_width);
  const double sharing = 2 * array + bytes({std::min(max_inspected_sequences, sizes.held_out), T, true});
  double evaluating = array;
  for (const LookedAt& some : sizes.looked_at)
    evaluating = std::max(evaluating, array + bytes({some.sequences, some.length, false}));
  // In the record, and in what is made of it: the network, perhaps its moments, and the logits of an example.
  const double moments = at.moments == MomentsOf::network ? 2 * array : 0;
  const double kept =
      at.keep_weights
          ? moments + 3 * (array + moments + needs.bytes * static_cast<double>(T * c.vocabulary)) + bytes({1, T, false})
          : 0;
  return std::max({training, sharing + kept, evaluating + kept}) + bytes_of_batch(sizes.held_out, T, c.vector_width);
}

// What the scheme is asked for each sequence, where these go one by one, and otherwise once for all.
double asked_one_by_one(const TrainingDefinition& at, const host::LayerSchemes& schemes, const TrainingSizes& sizes,
                        const network::Capacity& update) {
  if (!go_one_by_one(at, schemes, sizes)) return 0;
  const Needs needs(schemes, at.dtype);
  const auto [steps, sequences, T, L] = reckoned(at.steps, update.sequences, update.length, at.layers);
  return steps * sequences * L * (needs.attend(T * T) + needs.code(T));
}

}  // namespace

// A multiplication for each entry of a matrix, and attention's two products; a tile of queries has keys up to its last.
double steps_of_token(const network::Configuration& c, const host::LayerSchemes& schemes, Dtype dtype,
                      base::Index length) {
  const Needs needs(schemes, dtype);
  const auto [T, tile, F, L, V] = reckoned(length, attention::queries_per_tile, c.feed_forward, c.layers, c.vocabulary);
  const network::Layout layout(c, schemes);
  const network::ParameterInfo* looked_up = layout.find("token_embedding");
  double entries = 0;
  for (const network::ParameterInfo& info : layout.parameters())
    if (info.rank == 2 && !info.of_scheme && (c.tied || &info != looked_up))
      entries += static_cast<double>(info.size());
  const double keys = c.causal ? std::min(T, (T + tile) / 2) : T;
  const double numbers = L * (4 * needs.D + F + needs.H * keys) + V;
  return needs.products(entries + 2 * L * needs.D * keys) + steps_of_a_number * numbers;
}

data::Estimate training_estimate(const TrainingDefinition& at, const host::LayerSchemes& schemes,
                                 const network::Configuration& configuration, const TrainingSizes& sizes) {
  const network::Layout layout(configuration, schemes);
  const auto steps = [&](base::Index length) { return steps_of_token(configuration, schemes, at.dtype, length); };
  const double sequences = static_cast<double>(sizes.sequences), T = static_cast<double>(sizes.length);
  const double trained = static_cast<double>(at.steps) * sequences * T,
               held_out =
                   static_cast<double>(held_out_points_of(static_cast<std::uint64_t>(at.steps), at.stop_loss > 0)) *
                   static_cast<double>(sizes.held_out) * T;
  data::Estimate estimate;
  estimate.bytes = bytes_at_peak(at, schemes, configuration, sizes, static_cast<double>(layout.size()));
  const network::Capacity update = at.update_of(sizes.sequences, sizes.length);
  const double training =
      forward_and_backward * (trained * steps(update.length) + asked_one_by_one(at, schemes, sizes, update)) +
      held_out * steps(sizes.length);
  estimate.shared_operations = static_cast<double>(max_search_trainings(at)) * training;
  estimate.operations = estimate.shared_operations + training;
  for (const LookedAt& some : sizes.looked_at) estimate.operations += some.tokens * steps(some.length);
  if (at.keep_weights) estimate.operations += T * steps(sizes.length);  // a sequence whose logits are kept, too
  return estimate;
}

}  // namespace poslab::experiments
