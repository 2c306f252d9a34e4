// SPDX-License-Identifier: Apache-2.0
// The way of a call over the boundary and back.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <optional>

#include "calls/call.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::check {
namespace {

// One array in the form that crosses the boundary: a view, and the tensor that it came from.
struct MarshalledArray {
  Member member;
  poslab_view view{};
  bool is_float = false;

  void out(Memory& memory, int scalar) {
    is_float = scalar == POSLAB_F32;
    const std::vector<double>& numbers = member.tensor->numbers;
    void* data = memory.take(member.name, numbers.size(), is_float ? sizeof(float) : sizeof(double));
    view = {data, scalar, member.tensor->rank, {}};
    std::copy(member.tensor->shape.begin(), member.tensor->shape.end(), view.shape);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      is_float ? static_cast<float*>(data)[i] = static_cast<float>(numbers[i])
               : static_cast<double*>(data)[i] = numbers[i];
  }
  double number(std::size_t i) const {
    return is_float ? static_cast<double>(static_cast<const float*>(view.data)[i])
                    : static_cast<const double*>(view.data)[i];
  }
  bool changed() const {
    for (std::size_t i = 0; i < member.tensor->numbers.size(); ++i) {
      const double given = member.tensor->numbers[i], sent = is_float ? static_cast<float>(given) : given;
      const double now = number(i);
      if (std::bit_cast<std::uint64_t>(sent) != std::bit_cast<std::uint64_t>(now)) return true;
    }
    return false;
  }
  void back() const {
    for (std::size_t i = 0; i < member.tensor->numbers.size(); ++i) member.tensor->numbers[i] = number(i);
  }
};

// The struct that crosses the boundary, and what it points to.
struct MarshalledCall {
  poslab_call fields{};
  std::deque<MarshalledArray> arrays;
  std::vector<const poslab_view*> weights, weight_gradients;

  const poslab_view* view(const Tensor& tensor) const {
    for (const MarshalledArray& array : arrays)
      if (array.member.tensor == &tensor) return &array.view;
    return nullptr;
  }

  MarshalledCall(Call& call, Memory& memory) {
    for (Member& member : members_of(call)) {
      if (!member.tensor->exists()) continue;
      arrays.push_back({member});
      arrays.back().out(memory, is_positions(call, member.tensor) ? POSLAB_F64 : call.scalar);
      if (member.place) fields.*member.place = &arrays.back().view;
    }
    for (const Tensor& tensor : call.weights) weights.push_back(view(tensor));
    for (const Tensor& tensor : call.weight_gradients) weight_gradients.push_back(view(tensor));
    fields.size = sizeof fields;
    fields.scalar = call.scalar;
    fields.side = call.side;
    fields.causal = call.causal ? 1 : 0;
    fields.layer = call.layer;
    fields.length = call.length;
    fields.train_length = call.train_length;
    fields.scale = call.scale;
    fields.first_query = call.first_query;
    fields.weights = weights.data();
    fields.weight_count = static_cast<std::int64_t>(weights.size());
    fields.weight_gradients = weight_gradients.empty() ? nullptr : weight_gradients.data();
  }
};

}  // namespace

poslab_error blank_error() {
  poslab_error error;
  std::memset(&error, 'x', sizeof error);
  error.code = POSLAB_OK;
  error.text[0] = '\0';
  return error;
}

namespace {

void run(poslab_operation function, const void* self, const poslab_call& fields, CallResult& result) {
  poslab_error error = blank_error();
  try {
    result.status = function(self, &fields, &error);
  } catch (const host::ProcessLost&) {
    throw;
  } catch (const std::exception& thrown) {
    result.thrown = fmt::format("an exception: {}", thrown.what());
  } catch (...) {
    result.thrown = "something that is no std::exception";
  }
  const std::size_t length = strnlen(error.text, sizeof error.text);
  result.text_ends = length < sizeof error.text;
  result.text.assign(error.text, length);
}

}  // namespace

CallResult invoke(const poslab_plugin& table, const void* self, Call& call, Guard guard, const FaultReport& on_fault) {
  Memory memory(guard);
  MarshalledCall marshalled(call, memory);
  const poslab_operation_pair& pair = table.operations[static_cast<int>(call.operation)];
  CallResult result;
  {
    std::optional<FaultWatch> watch;
    if (guard != Guard::none && on_fault) watch.emplace(memory, on_fault);
    run(call.gradient ? pair.gradient : pair.forward, self, marshalled.fields, result);
  }
  result.written_outside = memory.written_outside();
  for (const MarshalledArray& array : marshalled.arrays) {
    if (array.member.is_output)
      array.back();
    else if (result.changed_input.empty() && array.changed())
      result.changed_input = array.member.name;
  }
  return result;
}

}  // namespace poslab::check
