// SPDX-License-Identifier: Apache-2.0
// What cost asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::cost {
namespace {

// Whole numbers, which a double holds exactly up to 2^53; beyond, each sum rounds.
data::MeasureInfo counted(std::string name, std::string unit, std::string sentence, std::string definition,
                          std::string null_value) {
  return {
      .name = std::move(name),
      .unit = std::move(unit),
      .sentence = std::move(sentence),
      .definition = std::move(definition),
      .null_value = std::move(null_value),
      .tolerance = relative(1e-14),
  };
}

Axis whole(std::string name, std::int64_t default_value, std::string sentence) {
  return {.name = std::move(name), .default_value = default_value, .range = from_one, .sentence = std::move(sentence)};
}

std::vector<data::AxisInfo> axes() {
  return {
      length_axis(),
      whole("sequences", 8, "B: how many sequences a training step sees"),
      whole("layers", 2, "L: layers of the network"),
      whole("feed_forward", 512, "F: hidden units of a feed-forward layer"),
      whole("alphabet", 64, "V: tokens that there are"),
      dtype_axis(),
      Axis{
          .name = "timed",
          .choices = {"nothing", "encode", "attention", "training-step"},
          .sentence =
              "what the cell does, so that its seconds can be read from provenance; what is counted is the same",
      },
      whole("times", 10, "how often it does that"),
  };
}

std::vector<data::MeasureInfo> sizes() {
  return {
      counted("scheme_parameters", "1", "numbers of the scheme that training changes", "of all L layers", "0"),
      counted("frozen_parameters", "1", "numbers of the scheme that are drawn and stay", "of all L layers", "0"),
      counted("network_parameters", "1", "numbers that training changes of the same network without positions",
              "2 V D + L (4 D^2 + 2 D F + 9 D + F) + 2 D", "the same"),
      counted("bytes", "byte", "storage of the scheme's numbers",
              "(scheme_parameters + frozen_parameters) * bytes of dtype", "0"),
      counted("training_bytes", "byte", "storage of the scheme's numbers in training",
              "bytes, and 3 times scheme_parameters * bytes of dtype: gradient and two moments", "0"),
  };
}

std::vector<data::MeasureInfo> operations() {
  const char* const pairs = "; P pairs of a query and a key that it sees";
  return {
      counted("encode_operations", "operation", "least that positions add at the network's input, for one sequence",
              "encode: N D numbers made, N D added; else 0", "0"),
      counted("attention_operations_none", "operation", "one attention layer without positions, one sequence",
              std::string("8 N D^2 + 4 P D + 4 P H") + pairs, "the same"),
      counted("attention_operations", "operation", "the same with at least what the scheme adds",
              "as without, + transform 2 N D, bias 2 P H, score P H, mix N D", "attention_operations_none"),
      counted("training_operations_none", "operation", "one training step of the network without positions",
              "6 B N (L (4 D^2 + 2 D F) + V D) + B L (14 P D + 12 P H) + 14 network_parameters", "the same"),
      counted("training_operations", "operation", "the same with at least what the scheme adds",
              "as without, + encode, transform, bias, score and mix forward and backward, + 14 scheme_parameters",
              "training_operations_none"),
  };
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "cost";
  info.version = "1.0";
  info.title = "Cost";
  info.question = "What does a scheme cost: parameters, bytes, operations, beside the same network without positions?";
  info.axes = axes();
  info.default_repeats = 1;
  info.measures = sizes();
  for (data::MeasureInfo& measure : operations()) info.measures.push_back(std::move(measure));
  return info;
}

}  // namespace poslab::experiments::cost
