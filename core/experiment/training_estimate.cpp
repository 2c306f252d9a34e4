// SPDX-License-Identifier: Apache-2.0
// Dimension letters: D model width, F feed-forward width, H heads, L layers, T tokens, V alphabet, W width of vectors.
#include "poslab/experiment/training_estimate.hpp"

#include <algorithm>

#include "poslab/attention/attention.hpp"
#include "poslab/experiment/training_run.hpp"

namespace poslab::experiments {
namespace {

// Products of float32 go about so many times as fast as a loop of exponentials, roots and sums, those of float64 half
// as fast. Measured, with `operations_of_a_number`, on one type of processor with AVX-512 (tests/bench/speed.md), at
// widths of 32 to 128.
constexpr double speed_of_products = 20;
// Norms, GELU, softmax and copies, forward: for a number of the stream, the feed-forward layer or the attention.
constexpr double operations_of_a_number = 6;
constexpr double forward_and_backward = 3;  // times the forward pass

class Costs {
 public:
  Costs(const network::Layout& layout, const network::Configuration& c, bool single)
      : causal_(c.causal),
        D_(static_cast<double>(c.model_width)),
        F_(static_cast<double>(c.feed_forward)),
        H_(static_cast<double>(c.heads)),
        L_(static_cast<double>(c.layers)),
        V_(static_cast<double>(c.alphabet)),
        speed_(single ? speed_of_products : speed_of_products / 2) {
    const network::ParameterInfo* looked_up = layout.find("token_embedding");
    for (const network::ParameterInfo& info : layout.parameters())
      if (info.rank == 2 && !info.of_scheme && (c.tied || &info != looked_up))
        entries_ += static_cast<double>(info.size());
  }

  // A token forward: 2 operations for each entry of a matrix, and attention's two products.
  double of_token(base::Index length) const {
    const auto T = static_cast<double>(length), tile = static_cast<double>(attention::queries_per_tile);
    const double keys = causal_ ? std::min(T, (T + tile) / 2) : T;  // a tile of queries has keys up to its last
    const double products = 2 * entries_ + 4 * L_ * D_ * keys, numbers = L_ * (4 * D_ + F_ + H_ * keys) + V_;
    return products / speed_ + operations_of_a_number * numbers;
  }

 private:
  bool causal_;
  double D_, F_, H_, L_, V_, speed_, entries_ = 0;
};

// A training::TaskBatch: what was added, with room to grow, and what is handed out.
double bytes_of_batch(base::Index sequences, base::Index length, base::Index vector_width) {
  const double a_vector = 8 * static_cast<double>(vector_width), a_token = 2 * (12 + a_vector) + 9 + a_vector;
  return static_cast<double>(sequences * length) * a_token;
}

double bytes_at_peak(const TrainingDefinition& at, const host::Scheme& scheme, const network::Configuration& c,
                     const TrainingSizes& sizes, double numbers) {
  const bool single = at.dtype == Dtype::float32;
  const auto bytes = [&](const network::Capacity& capacity) {
    return single ? network::Network<float>::bytes(c, &scheme, capacity)
                  : network::Network<double>::bytes(c, &scheme, capacity);
  };
  const double array = (single ? 4 : 8) * numbers;
  const base::Index T = sizes.length, held_out = std::min(sizes.held_out, sequences_at_once(T));
  // Parameters, gradient, two moments; those of the scheme as they were; a checkpoint of three, put together from two.
  const double training = (5 + 6) * array + bytes({sizes.sequences, T, true}) + bytes({held_out, T, false}) +
                          bytes_of_batch(sizes.sequences, T, c.vector_width);
  const double sharing = 2 * array + bytes({std::min(most_looked_into, sizes.held_out), T, true});
  double evaluating = array;
  for (const LookedAt& some : sizes.looked_at)
    evaluating = std::max(evaluating, array + bytes({some.sequences, some.length, false}));
  const double kept = at.keep_weights ? 3 * array : 0;  // in the record, and in what is made of it
  return std::max({training, sharing + kept, evaluating + kept}) + bytes_of_batch(sizes.held_out, T, c.vector_width);
}

}  // namespace

data::Estimate training_estimate(const TrainingDefinition& at, const host::Scheme& scheme,
                                 const network::Configuration& configuration, const TrainingSizes& sizes) {
  const network::Layout layout(configuration, &scheme);
  const Costs costs(layout, configuration, at.dtype == Dtype::float32);
  const double sequences = static_cast<double>(sizes.sequences), T = static_cast<double>(sizes.length);
  const double trained = static_cast<double>(at.steps) * sequences * T,
               held_out = static_cast<double>(points_of(static_cast<std::uint64_t>(at.steps))) *
                          static_cast<double>(sizes.held_out) * T;
  data::Estimate estimate;
  estimate.bytes = bytes_at_peak(at, scheme, configuration, sizes, static_cast<double>(layout.size()));
  estimate.operations = (forward_and_backward * trained + held_out) * costs.of_token(sizes.length);
  for (const LookedAt& some : sizes.looked_at) estimate.operations += some.tokens * costs.of_token(some.length);
  return estimate;
}

}  // namespace poslab::experiments
