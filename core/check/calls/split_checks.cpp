// SPDX-License-Identifier: Apache-2.0
// A call in pieces gives what the whole gives.
#include <fmt/format.h>

#include <algorithm>

#include "calls/make_call.hpp"
#include "list.hpp"

namespace poslab::check {
namespace {

// Rows of every array of the call that has one per position (encode, transform) or per query (the others).
Call part_of(const Call& whole, Index first, Index rows) {
  Call part = whole;
  const auto cut = [&](Tensor& tensor, int axis) {
    if (tensor.exists()) tensor = tensor.rows(axis, first, rows);
  };
  const bool by_position = whole.operation == Operation::encode || whole.operation == Operation::transform;
  if (by_position) {
    cut(part.positions, 0);
    cut(part.output, whole.operation == Operation::encode ? 0 : 1);
    return part;
  }
  cut(part.query_positions, 0);
  cut(part.query, 1);
  cut(part.attention, 1);
  cut(part.output, 1);
  part.first_query += first;
  return part;
}

}  // namespace

std::string check_split(Trial& trial) {
  constexpr double max_ulps = 4;
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const Call& call : varied_calls(instance)) {
      if (call.gradient) continue;
      Call whole = call;
      instance.invoke(whole);
      const Index count = call.positions.exists() ? call.positions.shape[0] : call.query_positions.shape[0];
      for (Index first = 0; first < count;) {
        const Index size = std::min<Index>(first % 2 == 0 ? 1 : 4, count - first);
        Call piece = part_of(call, first, size), expected = part_of(whole, first, size);
        const CallResult result = instance.invoke(piece);
        if (!result.ok())
          throw Failed(
              fmt::format("{} of rows {} to {} {}", name_of(call), first, first + size - 1, result.text_of_status()));
        require_same(expected, piece,
                     fmt::format("gave other numbers for rows {} to {} alone", first, first + size - 1), max_ulps);
        first += size;
      }
      ++calls;
    }
  });
  return fmt::format("{} calls in {} gave the same in pieces, within {} ulp", calls, trial.scope(), max_ulps);
}

}  // namespace poslab::check
