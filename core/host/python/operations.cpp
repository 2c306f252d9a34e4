// SPDX-License-Identifier: Apache-2.0
// A call of plugin.h as a frame: which arrays an operation reads and writes, laid out one after the other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "poslab/host/call_members.hpp"
#include "python/plugin.hpp"

namespace poslab::host {
namespace {

// Numbered as in MEMBERS of the Python package (library.py), and as in plugin.h.
enum class Member : std::int32_t {
#define POSLAB_NUMBERED(member, ...) member,
  POSLAB_CALL_MEMBERS(POSLAB_NUMBERED, POSLAB_NUMBERED, POSLAB_NUMBERED)
#undef POSLAB_NUMBERED
};
#define POSLAB_IN_ORDER(member, ...)             \
  static_assert(offsetof(poslab_call, member) == \
                offsetof(poslab_call, positions) + sizeof(void*) * static_cast<std::size_t>(Member::member));
POSLAB_CALL_MEMBERS(POSLAB_IN_ORDER, POSLAB_IN_ORDER, POSLAB_IN_ORDER)
#undef POSLAB_IN_ORDER
static_assert(offsetof(poslab_call, mixed) + sizeof(void*) == sizeof(poslab_call), "the list lacks a new member");

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
  // `output` alone depends on the operation. In a forward call, members of gradients are null.
  const auto add = [&](Member member, const poslab_view* view, bool is_written) {
    if (member != Member::output)
      frame.add(member, view, is_written ? sent | written : sent);
    else if (!gradient || operation == POSLAB_TRANSFORM)
      frame.add(member, view, (overwrites(operation) ? 0 : sent) | written);
  };
  const auto add_list = [&](Member member, const poslab_view* const* views, bool is_written) {
    for (std::int32_t i = 0; views && i < call.weight_count; ++i)
      frame.add(member, views[i], is_written ? sent | written : sent, i);
  };
#define POSLAB_ADD_VIEW(member, is_written) add(Member::member, call.member, is_written);
#define POSLAB_ADD_LIST(member, is_written) add_list(Member::member, call.member, is_written);
#define POSLAB_NO_COUNT(member)
  POSLAB_CALL_MEMBERS(POSLAB_ADD_VIEW, POSLAB_ADD_LIST, POSLAB_NO_COUNT)
#undef POSLAB_ADD_VIEW
#undef POSLAB_ADD_LIST
#undef POSLAB_NO_COUNT
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
