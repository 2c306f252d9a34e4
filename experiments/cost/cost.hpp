// SPDX-License-Identifier: Apache-2.0
// What does a scheme cost? Definitions: cost.md. How long it takes is nowhere here: that is told by whoever performs
// the cell, in provenance.
#pragma once

#include <tuple>

#include "counts.hpp"
#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"

namespace poslab::experiments::cost {

// Whole numbers, which a double holds exactly up to 2^53; beyond, each sum rounds.
constexpr Scalar counted(const char* name, const char* unit, const char* sentence, const char* definition,
                         const char* null_value) {
  return {.name = name,
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = relative(1e-14)};
}

/// What a cell does, to be timed.
enum class Timed { nothing, encode, attention, training_step };

struct Cost final : Definition {
  static constexpr About about{
      .id = "cost",
      .version = "1.0",
      .title = "Cost",
      .question = "What does a scheme cost: parameters, bytes, operations, beside the same network without positions?",
      .default_repeats = 1};

  Index length, sequences, layers, feed_forward, alphabet, times;
  Dtype dtype;
  Timed timed;
  static Axes<Cost> axes();

  static constexpr Scalar
      scheme_parameters =
          counted("scheme_parameters", "1", "numbers of the scheme that training changes", "of all L layers", "0"),
      frozen_parameters =
          counted("frozen_parameters", "1", "numbers of the scheme that are drawn and stay", "of all L layers", "0"),
      network_parameters =
          counted("network_parameters", "1", "numbers that training changes of the same network without positions",
                  "2 V D + L (4 D^2 + 2 D F + 9 D + F) + 2 D", "the same"),
      bytes = counted("bytes", "byte", "storage of the scheme's numbers",
                      "(scheme_parameters + frozen_parameters) * bytes of dtype", "0"),
      training_bytes = counted("training_bytes", "byte", "storage of the scheme's numbers in training",
                               "bytes, and 3 times scheme_parameters * bytes of dtype: gradient and two moments", "0"),
      encode_operations =
          counted("encode_operations", "operation", "least that positions add at the network's input, for one sequence",
                  "encode: N D numbers made, N D added; else 0", "0"),
      attention_operations_none =
          counted("attention_operations_none", "operation", "one attention layer without positions, one sequence",
                  "8 N D^2 + 4 P D + 4 P H; P pairs of a query and a key that it sees", "the same"),
      attention_operations =
          counted("attention_operations", "operation", "the same with at least what the scheme adds",
                  "as without, + transform 2 N D, bias 2 P H, score P H, mix N D", "attention_operations_none"),
      training_operations_none =
          counted("training_operations_none", "operation", "one training step of the network without positions",
                  "6 B N (L (4 D^2 + 2 D F) + V D) + B L (14 P D + 12 P H) + 14 network_parameters", "the same"),
      training_operations =
          counted("training_operations", "operation", "the same with at least what the scheme adds",
                  "as without, + encode, transform, bias, score and mix forward and backward, + 14 scheme_parameters",
                  "training_operations_none");
  static constexpr std::tuple measures{
      scheme_parameters,        frozen_parameters,  network_parameters,        bytes,
      training_bytes,           encode_operations,  attention_operations_none, attention_operations,
      training_operations_none, training_operations};

  Index model_train_length() const override { return length; }
  /// What is counted and not done takes no weights.
  Index scheme_layers() const override { return timed == Timed::nothing ? 0 : layers; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;

  /// The size of the network in which the scheme stands.
  Size size(const host::Scheme& scheme) const;
};

}  // namespace poslab::experiments::cost
