// SPDX-License-Identifier: Apache-2.0
#include "calls/call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"

namespace poslab::check {

bool is_positions(const Call& call, const Tensor* tensor) {
  return tensor == &call.positions || tensor == &call.query_positions || tensor == &call.key_positions;
}

std::vector<Member> members_of(Call& call) {
  std::vector<Member> members{{"positions", &call.positions, false, &poslab_call::positions},
                              {"query_positions", &call.query_positions, false, &poslab_call::query_positions},
                              {"key_positions", &call.key_positions, false, &poslab_call::key_positions}};
  for (std::size_t w = 0; w < call.weights.size(); ++w)
    members.push_back({fmt::format("weights[{}]", w), &call.weights[w], false});
  const std::vector<Member> inputs{
      {"layer_input", &call.layer_input, false, &poslab_call::layer_input},
      {"query", &call.query, false, &poslab_call::query},
      {"key", &call.key, false, &poslab_call::key},
      {"value", &call.value, false, &poslab_call::value},
      {"mixed", &call.mixed, false, &poslab_call::mixed},
      {"attention", &call.attention, false, &poslab_call::attention},
      {"output_gradient", &call.output_gradient, false, &poslab_call::output_gradient},
      {"output", &call.output, true, &poslab_call::output},
      {"layer_input_gradient", &call.layer_input_gradient, true, &poslab_call::layer_input_gradient},
      {"query_gradient", &call.query_gradient, true, &poslab_call::query_gradient},
      {"key_gradient", &call.key_gradient, true, &poslab_call::key_gradient},
      {"attention_gradient", &call.attention_gradient, true, &poslab_call::attention_gradient}};
  members.insert(members.end(), inputs.begin(), inputs.end());
  for (std::size_t w = 0; w < call.weight_gradients.size(); ++w)
    members.push_back({fmt::format("weight_gradients[{}]", w), &call.weight_gradients[w], true});
  return members;
}

Tensor& Call::before() {
  switch (side) {
    case POSLAB_KEY: return key;
    case POSLAB_VALUE: return value;
    case POSLAB_OUTPUT: return mixed;
    default: return query;
  }
}

std::string CallResult::text_of_status() const {
  if (!thrown.empty()) return "threw " + thrown;
  if (status == POSLAB_OK) return "ok";
  return fmt::format("answered {}: {}", status, text.empty() ? "without a reason" : text);
}

void round_to_float(Call& call) {
  for (const Member& member : members_of(call))
    if (!is_positions(call, member.tensor))
      for (double& number : member.tensor->numbers) number = static_cast<double>(static_cast<float>(number));
}

std::string name_of(const Call& call) {
  return fmt::format("{}{}", call.gradient ? "gradient of " : "", host::to_text(call.operation));
}

std::string call_text(const Call& call) {
  return fmt::format("{} in {}", name_of(call), call.scalar == POSLAB_F32 ? "float32" : "float64");
}

std::string conditions_text(const Call& call) {
  std::string text = call.causal ? " under a causal mask" : "";
  if (call.layer > 0) text += fmt::format("{} in layer {}", text.empty() ? "" : ",", call.layer);
  return text;
}

std::string positions_text(const Call& call) {
  const Tensor& positions = call.positions.exists() ? call.positions : call.key_positions;
  const auto [lowest, highest] = std::minmax_element(positions.numbers.begin(), positions.numbers.end());
  return positions.numbers.empty()
             ? "no positions"
             : fmt::format("positions {} to {}", base::shortest(*lowest), base::shortest(*highest));
}

}  // namespace poslab::check
