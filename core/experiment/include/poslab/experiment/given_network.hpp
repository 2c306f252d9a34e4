// SPDX-License-Identifier: Apache-2.0
// A trained network that a cell was given: whether it fits, and its arrays where the cell wants them.
// Dimension letters: D model width, V vocabulary.
#pragma once

#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/training_definition.hpp"
#include "poslab/network/network.hpp"
#include "poslab/training/trainer.hpp"

namespace poslab::experiments {

/// The name under which an array of a network is kept: `network/layer0/query/weight`, `scheme/table`,
/// `scheme/keys/1` of layer 1.
std::string kept_name(const network::ParameterInfo& info);

/// Names of what is kept beside these: the factor of embeddings, how many batches were trained on, the first held-out
/// sequence, the logits that the network gives it, and the characters of the text that it was trained on. The moments
/// of AdamW have the name of their array behind these, and its steps make them whole.
namespace kept {
inline constexpr const char *embedding_scale = "network/embedding_scale", *batches_seen = "network/batches_seen",
                            *optimiser_steps = "optimiser/steps", *first_moment = "optimiser/first/",
                            *second_moment = "optimiser/second/", *example_tokens = "example/tokens",
                            *example_vectors = "example/vectors", *example_positions = "example/positions",
                            *example_logits = "example/logits", *text_symbols = "text/symbols";
/// With which variant a network that is given has these logits: the characters of its parameters as JSON, and the
/// train_length of its model.
inline constexpr const char *example_parameters = "example/parameters", *example_train_length = "example/train_length";
}  // namespace kept
/// The characters of the text; empty if it was trained on none.
std::string symbols_of(const data::GivenNetwork& given);
/// A text as numbers, those of its characters, and back.
data::KeptArray array_of_text(const std::string& name, const std::string& text);
std::string text_of(const data::KeptArray& array);

/// V: how many tokens it was trained on.
base::Index vocabulary_of(const data::GivenNetwork& given);
/// F: the width of its feed-forward part.
base::Index feed_forward_of(const data::GivenNetwork& given, const host::Model& model);

/// Empty, or what of its architecture is another than `axes` say, as far as these say something of it: two networks
/// whose arrays have the same extents may still be two functions.
std::optional<base::Refusal> why_another_network(const data::GivenNetwork& given, const data::Values& axes);
/// Empty, or which array of the layout it lacks, has in another shape, or has too many.
std::optional<base::Refusal> why_not_arrays(const network::Layout& layout, const data::GivenNetwork& given);
/// Empty, or why these arrays are no network of the architecture that it names, with these schemes.
std::optional<base::Refusal> why_not_whole(const data::GivenNetwork& given, const host::LayerSchemes& schemes);
/// All of it but the weights of schemes. Precondition: `why_not_arrays` found nothing.
template <class S>
void set_network_arrays(const data::GivenNetwork& given, network::Parameters<S>& parameters);
/// How many batches all its trainings have seen, one after the other.
std::uint64_t batches_seen_by(const data::GivenNetwork& given);

/// Whether an array is of AdamW: a moment, or its steps.
bool is_of_optimiser(const data::KeptArray& array);
/// Whether a training with these axes keeps the moments, and goes on with those of a network that it is given.
bool wants_moments(const data::Values& axes);
/// Whether AdamW's moments are with it.
bool has_moments(const data::GivenNetwork& given);
/// Precondition: it has them, and `why_not_arrays` found nothing.
template <class S>
void take_moments(const data::GivenNetwork& given, training::Trainer<S>& trainer);
/// What is said of them where a training with these axes begins with the network: that they are gone on with, or that
/// they could not be; or nothing.
std::string moments_note(const data::GivenNetwork& given, const data::Values& axes);

/// What the attention of a layer is made from.
template <class S>
struct Projected {
  base::Array<S> query, key;   ///< [H, N, K]
  base::Array<S> layer_input;  ///< [N, D]
};

/// The network, in an experiment that looks into it.
template <class S>
class GivenStack {
 public:
  /// Precondition: `input.network` is there, and `why_not_looked_into` found nothing.
  explicit GivenStack(const ExperimentInput& input);

  network::StackOptions options() const { return network::stack_options(configuration_); }
  /// As trained; without positions its scheme is left out.
  network::StackLayer<S> layer(base::Index l, bool with_positions = true) const;
  /// A token as it enters the layers, [D], its code not added.
  std::vector<S> embedded(base::Index token) const;
  /// `tokens` tokens [N, D] so, each drawn alike and by itself from the network's vocabulary.
  base::Array<S> draw_tokens(const base::Stream& draws, base::Index tokens) const;
  /// The first layer's, of what enters it [N, D].
  Projected<S> project(base::View<const S> stream) const;
  bool is_causal() const { return configuration_.causal; }
  /// The logits [T, V] of one sequence.
  base::Array<S> logits(const network::Batch& sequence) const;

 private:
  network::Configuration configuration_;
  host::LayerSchemes schemes_;
  network::Layout layout_;
  network::Parameters<S> parameters_;
};

/// Empty, or why an experiment cannot look into the first `depth` layers of the network that it is given.
std::optional<base::Refusal> why_not_looked_into(const Setting& of, const data::Values& axes, base::Index depth);
/// The same, where it looks at sequences under a mask that is no axis.
std::optional<base::Refusal> why_not_looked_into(const Setting& of, const data::Values& axes, base::Index depth,
                                                 bool causal);

/// How far the logits that it was kept with, of an example, are from those that it gives with `schemes`, its own: the
/// largest difference over the largest logit; infinity where the example is damaged. Nothing: it has no example, or
/// is no network of these schemes. Calls schemes.
std::optional<double> example_error(const data::GivenNetwork& given, const host::LayerSchemes& schemes);
/// What is said of a network with such an error; empty if it is that of rounding.
std::string changed_note(double error);

}  // namespace poslab::experiments
