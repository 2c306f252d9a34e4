// SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>

namespace poslab::check {
namespace {

// One array on its way: a view, and the block that it came from.
struct Crossing {
  Member member;
  poslab_view view{};
  bool is_float = false;

  void out(Memory& memory, int scalar) {
    is_float = scalar == POSLAB_F32;
    const std::vector<double>& numbers = member.block->numbers;
    void* data = memory.take(member.name, numbers.size() * (is_float ? sizeof(float) : sizeof(double)));
    view = {data, scalar, member.block->rank, {}};
    std::copy(member.block->shape.begin(), member.block->shape.end(), view.shape);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      is_float ? static_cast<float*>(data)[i] = static_cast<float>(numbers[i])
               : static_cast<double*>(data)[i] = numbers[i];
  }
  double number(std::size_t i) const {
    return is_float ? static_cast<double>(static_cast<const float*>(view.data)[i])
                    : static_cast<const double*>(view.data)[i];
  }
  bool changed() const {
    for (std::size_t i = 0; i < member.block->numbers.size(); ++i) {
      const double given = member.block->numbers[i], sent = is_float ? static_cast<float>(given) : given;
      const double now = number(i);
      if (std::bit_cast<std::uint64_t>(sent) != std::bit_cast<std::uint64_t>(now)) return true;
    }
    return false;
  }
  void back() const {
    for (std::size_t i = 0; i < member.block->numbers.size(); ++i) member.block->numbers[i] = number(i);
  }
};

bool is_positions(const Call& call, const Block* block) {
  return block == &call.positions || block == &call.query_positions || block == &call.key_positions;
}

// The struct that crosses, and what it points to.
struct Packed {
  poslab_call fields{};
  std::deque<Crossing> crossings;
  std::vector<const poslab_view*> weights, weight_gradients;

  const poslab_view* view(const Block& block) const {
    for (const Crossing& crossing : crossings)
      if (crossing.member.block == &block) return &crossing.view;
    return nullptr;
  }

  Packed(Call& call, Memory& memory) {
    for (Member& member : members_of(call)) {
      if (!member.block->there()) continue;
      crossings.push_back({member});
      crossings.back().out(memory, is_positions(call, member.block) ? POSLAB_F64 : call.scalar);
    }
    for (const Block& block : call.weights) weights.push_back(view(block));
    for (const Block& block : call.weight_gradients) weight_gradients.push_back(view(block));
    fields.size = sizeof fields;
    fields.scalar = call.scalar;
    fields.side = call.side;
    fields.causal = call.causal ? 1 : 0;
    fields.length = call.length;
    fields.train_length = call.train_length;
    fields.scale = call.scale;
    fields.first_query = call.first_query;
    fields.positions = view(call.positions);
    fields.query_positions = view(call.query_positions);
    fields.key_positions = view(call.key_positions);
    fields.weights = weights.data();
    fields.weight_count = static_cast<std::int64_t>(weights.size());
    fields.layer_input = view(call.layer_input);
    fields.query = view(call.query);
    fields.key = view(call.key);
    fields.attention = view(call.attention);
    fields.output = view(call.output);
    fields.output_gradient = view(call.output_gradient);
    fields.layer_input_gradient = view(call.layer_input_gradient);
    fields.query_gradient = view(call.query_gradient);
    fields.key_gradient = view(call.key_gradient);
    fields.attention_gradient = view(call.attention_gradient);
    fields.weight_gradients = weight_gradients.empty() ? nullptr : weight_gradients.data();
  }
};

void run(poslab_operation function, const void* self, const poslab_call& fields, Answer& answer) {
  poslab_error error;
  std::memset(&error, 'x', sizeof error);  // the plugin must end its text itself
  error.code = POSLAB_OK;
  error.text[0] = '\0';
  try {
    answer.status = function(self, &fields, &error);
  } catch (const std::exception& thrown) {
    answer.thrown = fmt::format("an exception: {}", thrown.what());
  } catch (...) {
    answer.thrown = "something that is no std::exception";
  }
  const std::size_t length = strnlen(error.text, sizeof error.text);
  answer.text_ends = length < sizeof error.text;
  answer.text.assign(error.text, length);
  answer.code = error.code;
}

}  // namespace

std::vector<Member> members_of(Call& call) {
  std::vector<Member> members{{"positions", &call.positions, false},
                              {"query_positions", &call.query_positions, false},
                              {"key_positions", &call.key_positions, false}};
  for (std::size_t w = 0; w < call.weights.size(); ++w)
    members.push_back({fmt::format("weights[{}]", w), &call.weights[w], false});
  const std::vector<Member> inputs{{"layer_input", &call.layer_input, false},
                                   {"query", &call.query, false},
                                   {"key", &call.key, false},
                                   {"attention", &call.attention, false},
                                   {"output_gradient", &call.output_gradient, false},
                                   {"output", &call.output, true},
                                   {"layer_input_gradient", &call.layer_input_gradient, true},
                                   {"query_gradient", &call.query_gradient, true},
                                   {"key_gradient", &call.key_gradient, true},
                                   {"attention_gradient", &call.attention_gradient, true}};
  members.insert(members.end(), inputs.begin(), inputs.end());
  for (std::size_t w = 0; w < call.weight_gradients.size(); ++w)
    members.push_back({fmt::format("weight_gradients[{}]", w), &call.weight_gradients[w], true});
  return members;
}

std::string Answer::words() const {
  if (!thrown.empty()) return "threw " + thrown;
  if (status == POSLAB_OK) return "ok";
  return fmt::format("answered {}: {}", status, text.empty() ? "without a reason" : text);
}

Answer perform(const poslab_plugin& table, const void* self, Call& call, const Guard& guard) {
  Memory memory(guard);
  Packed packed(call, memory);
  const poslab_operation_pair& pair = table.operations[static_cast<int>(call.operation)];
  Answer answer;
  run(call.gradient ? pair.gradient : pair.forward, self, packed.fields, answer);
  answer.written_outside = memory.written_outside();
  for (const Crossing& crossing : packed.crossings) {
    if (crossing.member.is_output)
      crossing.back();
    else if (answer.changed_input.empty() && crossing.changed())
      answer.changed_input = crossing.member.name;
  }
  return answer;
}

void round_to_float(Call& call) {
  for (const Member& member : members_of(call))
    if (!is_positions(call, member.block))
      for (double& number : member.block->numbers) number = static_cast<double>(static_cast<float>(number));
}

std::string name_of(const Call& call) {
  return fmt::format("{}{}", call.gradient ? "gradient of " : "", host::to_text(call.operation));
}

}  // namespace poslab::check
