// SPDX-License-Identifier: Apache-2.0
#include "counted.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace counted {
namespace {

constexpr std::size_t operations = POSLAB_OPERATION_COUNT;

std::atomic<std::int64_t> asked{0};
std::array<poslab_operation_pair, operations> of_plugin{}, counting{};

std::int64_t size_of(const poslab_view* view) {
  if (!view) return 0;
  std::int64_t size = 1;
  for (int axis = 0; axis < view->rank; ++axis) size *= view->shape[axis];
  return size;
}

template <std::size_t at>
std::int32_t forward(const void* self, const poslab_call* call, poslab_error* error) {
  asked += size_of(call->output);
  return of_plugin[at].forward(self, call, error);
}
template <std::size_t at>
std::int32_t gradient(const void* self, const poslab_call* call, poslab_error* error) {
  asked += size_of(call->output_gradient ? call->output_gradient : call->output);
  return of_plugin[at].gradient(self, call, error);
}

template <std::size_t... at>
void wrap(std::index_sequence<at...>) {
  counting = {poslab_operation_pair{of_plugin[at].forward ? &forward<at> : nullptr,
                                    of_plugin[at].gradient ? &gradient<at> : nullptr}...};
}

}  // namespace

void count_calls_of(const std::shared_ptr<const poslab::host::Plugin>& plugin) {
  auto& table = const_cast<poslab_plugin&>(plugin->table());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  if (table.operations == counting.data()) return;
  of_plugin = {};
  for (std::int64_t at = 0; at < table.operation_count; ++at)
    of_plugin[static_cast<std::size_t>(at)] = table.operations[at];
  wrap(std::make_index_sequence<operations>());
  table.operations = counting.data();
}

double numbers() { return static_cast<double>(asked.exchange(0)); }

}  // namespace counted
