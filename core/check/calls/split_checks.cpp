// SPDX-License-Identifier: Apache-2.0
// A call in pieces gives what the whole gives.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calls/make_call.hpp"
#include "calls/place.hpp"
#include "list.hpp"
#include "poslab/base/count.hpp"

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

constexpr double max_ulps = 4;

// What `score` and `mix` add is a sum, whose terms may cancel: it is as precise as the largest number of the entry's
// row, before or after.
double rounding_beside(const Call& before, const Call& after, std::size_t i) {
  const auto row = static_cast<std::size_t>(after.output.shape[2]);
  double largest = 0;
  for (std::size_t k = i / row * row; k < (i / row + 1) * row; ++k)
    for (const double x : {before.output.numbers[k], after.output.numbers[k]})
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  return max_ulps * unit_in_last_place(largest, after.scalar);
}

// Throws Failed where a piece is not what the same rows of the whole are.
void require_alike(const Call& before, const Call& expected, Call& piece, const std::string& rows) {
  const bool adds = piece.operation == Operation::score || piece.operation == Operation::mix;
  const Member output{"output", &piece.output, true};
  for (std::size_t i = 0; i < piece.output.numbers.size(); ++i) {
    const double x = expected.output.numbers[i], y = piece.output.numbers[i];
    if (ulps_apart(x, y, piece.scalar) <= max_ulps) continue;
    if (adds && std::abs(x - y) <= rounding_beside(before, expected, i)) continue;
    const double allowed = adds ? rounding_beside(before, expected, i) : max_ulps * unit_in_last_place(x, piece.scalar);
    throw Failed(fmt::format("{} gave other numbers for {} alone: {}: {:.17g} and {:.17g}{}", call_text(piece), rows,
                             entry_text(piece, output, i), x, y, gap_text(x, y, allowed, piece.scalar)));
  }
}

}  // namespace

std::string check_split(Trial& trial) {
  int calls = 0;
  trial.for_each_instance([&](const Instance& instance) {
    for (const Call& call : varied_calls(instance)) {
      if (call.gradient) continue;
      Call whole = call;
      const CallResult of_whole = instance.invoke(whole);
      if (is_named_refusal(instance, of_whole)) continue;
      if (!of_whole.ok()) throw Failed(fmt::format("{} {}", call_text(call), of_whole.text_of_status()));
      const Index count = call.positions.exists() ? call.positions.shape[0] : call.query_positions.shape[0];
      for (Index first = 0; first < count;) {
        const Index size = std::min<Index>(first % 2 == 0 ? 1 : 4, count - first);
        const Call before = part_of(call, first, size);
        Call piece = before;
        const CallResult result = instance.invoke(piece);
        const std::string rows = fmt::format("rows {} to {}", first, first + size - 1);
        if (!result.ok()) throw Failed(fmt::format("{} of {} {}", name_of(call), rows, result.text_of_status()));
        require_alike(before, part_of(whole, first, size), piece, rows);
        first += size;
      }
      ++calls;
    }
  });
  return fmt::format("{} in {} gave the same in pieces, within {} ulp", base::counted(calls, "call"), trial.scope(),
                     max_ulps);
}

}  // namespace poslab::check
