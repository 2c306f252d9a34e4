// SPDX-License-Identifier: Apache-2.0
// A call of plugin.h as a frame: which arrays an operation reads and writes, laid out one after the other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "python/plugin.hpp"

namespace poslab::host {
namespace {

// The places of members in MEMBERS of the Python package (library.py), which are those of poslab_call.
enum class Member : std::int32_t {
  positions,
  query_positions,
  key_positions,
  weights,
  weight_count,
  layer_input,
  query,
  key,
  attention,
  output,
  output_gradient,
  layer_input_gradient,
  query_gradient,
  key_gradient,
  attention_gradient,
  weight_gradients,
  value,
  mixed
};

struct CallHead {
  std::int32_t operation, gradient, scalar, side, causal, arrays;
  std::int64_t length, train_length, first_query, layer;
  double scale;
};

enum Flags : std::int32_t { sent = 1, written = 2 };

struct ArrayHead {
  std::int32_t member, index, rank, flags;
  std::int64_t shape[4];
};

class Frame {
 public:
  void add(Member member, const poslab_view* view, std::int32_t flags, std::int32_t index = 0) {
    if (!view) return;
    const std::size_t bytes = bytes_of(*view);
    ArrayHead head{static_cast<std::int32_t>(member), index, view->rank, flags, {}};
    for (std::size_t axis = 0; axis < 4; ++axis) head.shape[axis] = view->shape[axis];
    heads_.push_back(head);
    if (flags & sent) {
      freight_.numbers.push_back({view->data, bytes});
      if (const std::size_t over = bytes % alignment; over != 0)
        freight_.numbers.push_back({padding.data(), alignment - over});
    }
    if (flags & written) freight_.sinks.push_back({view->data, bytes});
  }
  std::int32_t count() const { return static_cast<std::int32_t>(heads_.size()); }
  bool is_wanted() const { return !freight_.sinks.empty(); }
  // The frame lives as long as it is used.
  const Freight& freight(CallHead& head) {
    freight_.form = {{&head, sizeof head}, {heads_.data(), heads_.size() * sizeof(ArrayHead)}};
    return freight_;
  }

 private:
  static constexpr std::size_t alignment = 8;
  static inline std::array<char, alignment> padding{};
  static std::size_t bytes_of(const poslab_view& view) {
    std::size_t count = view.scalar == POSLAB_F32 ? sizeof(float) : sizeof(double);
    for (std::int32_t axis = 0; axis < view.rank; ++axis) count *= static_cast<std::size_t>(view.shape[axis]);
    return count;
  }
  std::vector<ArrayHead> heads_;
  Freight freight_;
};

bool is_empty(const poslab_view* view) {
  if (!view) return false;
  return std::find(view->shape, view->shape + view->rank, 0) != view->shape + view->rank;
}

constexpr bool overwrites(int operation) { return operation == POSLAB_ENCODE || operation == POSLAB_BIAS; }

Frame frame_of(int operation, bool gradient, const poslab_call& call) {
  Frame frame;
  for (std::int32_t i = 0; i < call.weight_count; ++i) frame.add(Member::weights, call.weights[i], sent, i);
  frame.add(Member::positions, call.positions, sent);
  frame.add(Member::query_positions, call.query_positions, sent);
  frame.add(Member::key_positions, call.key_positions, sent);
  frame.add(Member::layer_input, call.layer_input, sent);
  frame.add(Member::query, call.query, sent);
  frame.add(Member::key, call.key, sent);
  frame.add(Member::value, call.value, sent);
  frame.add(Member::mixed, call.mixed, sent);
  frame.add(Member::attention, call.attention, sent);
  const bool is_read = !overwrites(operation);
  if (!gradient || operation == POSLAB_TRANSFORM)
    frame.add(Member::output, call.output, (is_read ? sent : 0) | written);
  if (!gradient) return frame;
  frame.add(Member::output_gradient, call.output_gradient, sent);
  frame.add(Member::layer_input_gradient, call.layer_input_gradient, sent | written);
  frame.add(Member::query_gradient, call.query_gradient, sent | written);
  frame.add(Member::key_gradient, call.key_gradient, sent | written);
  frame.add(Member::attention_gradient, call.attention_gradient, sent | written);
  for (std::int32_t i = 0; call.weight_gradients && i < call.weight_count; ++i)
    frame.add(Member::weight_gradients, call.weight_gradients[i], sent | written, i);
  return frame;
}

// The host's own calls: they have all members of plugin.h.
template <int operation, bool gradient>
std::int32_t ask(const void* self, const poslab_call* call, poslab_error* error) {
  if (is_empty(call->output) || is_empty(call->output_gradient)) return POSLAB_OK;
  const auto& instance = *static_cast<const PythonInstance*>(self);
  Frame frame = frame_of(operation, gradient, *call);
  if (!frame.is_wanted()) return POSLAB_OK;
  CallHead head{operation,    gradient,           call->scalar,      call->side,  call->causal, frame.count(),
                call->length, call->train_length, call->first_query, call->layer, call->scale};
  const Answer answer = instance.server->ask(Request::call, instance.number, instance.creation, frame.freight(head));
  answer.tell(error);
  return answer.status;
}

template <int operation>
constexpr poslab_operation_pair pair{ask<operation, false>, ask<operation, true>};

}  // namespace

const std::vector<poslab_operation_pair>& python_operations() {
  static const std::vector<poslab_operation_pair> all{pair<POSLAB_ENCODE>, pair<POSLAB_TRANSFORM>, pair<POSLAB_BIAS>,
                                                      pair<POSLAB_SCORE>, pair<POSLAB_MIX>};
  return all;
}

}  // namespace poslab::host
