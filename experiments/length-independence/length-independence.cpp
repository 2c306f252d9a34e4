// SPDX-License-Identifier: Apache-2.0
// Does a code depend on how long its sequence is? Definitions: length-independence.md.
// Dimension letters: N length that was trained, T length of another context, D model width, H heads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contexts.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments {
namespace length_independence {

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

namespace {

constexpr double most_tokens = 0x1p53;  // that can be counted in a double

bool codes_offsets(const host::Scheme& scheme) {
  return attention::natural_kind(scheme) == attention::SignatureKind::offset;
}

// Offsets need the query of each context; positions only those that two contexts share.
double last_position(const host::Scheme& scheme, const data::Values& axes) {
  const double N = axes.real("length");
  return codes_offsets(scheme) ? std::max(N, whole_share(multiples(axes).back(), N)) - 1 : N - 1;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (!placement.is_plain())
    return fmt::format(
        "length-independence compares the tokens 0, 1, 2, ... of sequences of several lengths: that is "
        "not asked of positions = {}",
        placement.text());
  const std::vector<double> asked = multiples(axes);
  if (asked.empty()) return "the list of multiples is empty: there is no other context to compare with";
  const double N = axes.real("length");
  if (asked.front() * N < 1)
    return fmt::format("{} times a length of {:g} is less than one token: a multiple of at least {:g} is needed",
                       asked.front(), N, 1 / N);
  if (asked.back() * N > most_tokens)
    return fmt::format("{} times a length of {:g} are more tokens than can be counted exactly", asked.back(), N);
  if (std::string reason = attention::why_no_signature(scheme, attention::natural_kind(scheme)); !reason.empty())
    return reason;
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: distances of its codes mean nothing", scheme.info().id);
  if (codes_offsets(scheme))
    if (std::string reason = scheme.why_not_mask(true); !reason.empty()) return reason;
  return scheme.why_not_positions(0, last_position(scheme, axes));
}

// Only where changes have a size to be compared with: a code of zeros that becomes another has none.
void record_shares(const Changes& found, data::Record& record) {
  const bool is_zero = found.norm == 0;
  std::vector<double> mean, largest, odd_mean, odd_largest, same_place;
  const auto add = [&](const std::vector<Change>& changes, std::vector<double>& of_all, std::vector<double>& of_one) {
    for (const Change& change : changes) {
      of_all.push_back(numerics::ratio_or_zero(change.root_mean_square(), found.norm));
      of_one.push_back(numerics::ratio_or_zero(change.largest(), found.norm));
    }
  };
  add(found.by_context, mean, largest);
  add(found.odd, odd_mean, odd_largest);
  for (const double change : found.at_same_place) same_place.push_back(numerics::ratio_or_zero(change, found.norm));
  const auto has_infinity = [](const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isinf(x); });
  };
  if (is_zero && (has_infinity(largest) || has_infinity(odd_largest))) return;
  record.curve("change", {"multiple"}, mean);
  record.curve("largest_change", {"multiple"}, largest);
  record.curve("odd_change", {"odd_length"}, odd_mean);
  record.curve("largest_odd_change", {"odd_length"}, odd_largest);
  if (!same_place.empty() && !has_infinity(same_place)) record.curve("same_place_change", {"multiple"}, same_place);
}

void record_moved(const Changes& found, Index N, data::Record& record) {
  std::vector<double> moved;
  for (const Change& change : found.by_context) {
    moved.insert(moved.end(), change.moved.begin(), change.moved.end());
    moved.insert(moved.end(), static_cast<std::size_t>(N) - change.moved.size(),
                 std::numeric_limits<double>::quiet_NaN());
  }
  record.curve("moved", {"multiple", "position"}, moved);
}

data::Record run(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const Changes found = with_dtype(input.axes, [&](auto scalar) { return changes<decltype(scalar)>(input); });
  data::Record record;
  record.coordinate("multiple", multiples(input.axes));
  const std::vector<Index> odd = odd_lengths(input.scheme, input.axes);
  record.coordinate("odd_length", {odd.begin(), odd.end()});
  record.coordinate("position", numbers_below(N));
  record.scalar("norm", found.norm);
  record_shares(found, record);
  record_moved(found, N, record);
  return record;
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), D = static_cast<double>(scheme.model().model_width);
  const bool of_offsets = codes_offsets(scheme), probes = scheme.has(host::Operation::score);
  double tokens = of_offsets ? 6 * N : 5 * N;  // of N, and of odd_lengths
  for (const double multiple : multiples(axes)) tokens += of_offsets ? std::max(1.0, multiple) * N : N;
  const double width = of_offsets ? (probes ? 4 * D : D) : D, times = of_offsets ? 2 : 1;
  return {8 * tokens * width * (probes ? 4 : 2) + 16 * tokens, times * tokens * width * (probes ? 20 : 10)};
}

}  // namespace
}  // namespace length_independence

Experiment make_length_independence() {
  using namespace length_independence;
  return {describe(), why_skip, estimate, run, axis_length, column(), answer};
}

}  // namespace poslab::experiments
