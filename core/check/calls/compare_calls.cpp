// SPDX-License-Identifier: Apache-2.0
#include "calls/make_call.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "calls/place.hpp"
#include "failure.hpp"

namespace poslab::check {
namespace {

// Numbers in a row: the distance of neighbours is 1, also across zero.
double rank_of(double x, int scalar) {
  if (scalar == POSLAB_F32) {
    const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(x));
    return bits >= 0 ? bits : -static_cast<double>(bits & 0x7FFFFFFF);
  }
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? static_cast<double>(bits) : -static_cast<double>(bits & std::numeric_limits<std::int64_t>::max());
}

}  // namespace

double unit_in_last_place(double x, int scalar) {
  if (scalar == POSLAB_F64) return std::nextafter(x, std::numeric_limits<double>::infinity()) - x;
  const auto narrow = static_cast<float>(x);
  return static_cast<double>(std::nextafter(narrow, std::numeric_limits<float>::infinity()) - narrow);
}

double ulps_apart(double a, double b, int scalar) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  if (scalar == POSLAB_F64 && (a < 0) == (b < 0)) {  // exact also where a rank does not fit into a double
    const auto first = std::bit_cast<std::int64_t>(std::abs(a)), second = std::bit_cast<std::int64_t>(std::abs(b));
    return static_cast<double>(first > second ? first - second : second - first);
  }
  return std::abs(rank_of(a, scalar) - rank_of(b, scalar));
}

std::string difference(Call& a, Call& b, double ulps) {
  const std::vector<Member> ours = members_of(a), theirs = members_of(b);
  for (std::size_t m = 0; m < ours.size(); ++m) {
    if (!ours[m].is_output) continue;
    const std::vector<double>&x = ours[m].tensor->numbers, &y = theirs[m].tensor->numbers;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (ulps_apart(x[i], y[i], a.scalar) > ulps)
        return fmt::format("{}: {:.17g} and {:.17g}{}", entry_text(a, ours[m], i), x[i], y[i],
                           gap_text(x[i], y[i], ulps * unit_in_last_place(x[i], a.scalar), a.scalar));
  }
  return "";
}

void require_same(Call& a, Call& b, const std::string& what, double ulps) {
  if (const std::string apart = difference(a, b, ulps); !apart.empty())
    throw Failed(fmt::format("{} {}: {}", call_text(a), what, apart));
}

std::vector<Call> varied_calls(const Instance& instance) {
  std::vector<Call> calls;
  for (const Index count : {9, 5, 12}) {
    const std::string key = fmt::format("sameness {}", count);
    Tensor positions = count == 9 ? consecutive(instance, count) : scattered(instance, count, 1000, key);
    const Include include = count == 5 ? Include::gradients : Include::forward;
    for (Call& call : all_calls(instance, inputs_of(instance, std::move(positions), key), include))
      calls.push_back(std::move(call));
  }
  return calls;
}

}  // namespace poslab::check
