// SPDX-License-Identifier: Apache-2.0
#include "calls/call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"
#include "poslab/host/call_members.hpp"

namespace poslab::check {

bool is_positions(const Call& call, const Tensor* tensor) {
  return tensor == &call.positions || tensor == &call.query_positions || tensor == &call.key_positions;
}

std::vector<Member> members_of(Call& call) {
  std::vector<Member> members;
  const auto add_list = [&](const char* name, std::vector<Tensor>& tensors, bool is_output) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      members.push_back({fmt::format("{}[{}]", name, i), &tensors[i], is_output});
  };
#define POSLAB_ADD_VIEW(name, is_written) members.push_back({#name, &call.name, is_written, &poslab_call::name});
#define POSLAB_ADD_LIST(member, is_written) add_list(#member, call.member, is_written);
#define POSLAB_NO_COUNT(member)
  POSLAB_CALL_MEMBERS(POSLAB_ADD_VIEW, POSLAB_ADD_LIST, POSLAB_NO_COUNT)
#undef POSLAB_ADD_VIEW
#undef POSLAB_ADD_LIST
#undef POSLAB_NO_COUNT
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
