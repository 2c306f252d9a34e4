// SPDX-License-Identifier: Apache-2.0
// Does a code depend on how long its sequence is? Definitions: length-independence.md.
// Dimension letters: N length that was trained, T length of another context, D model width, H heads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contexts.hpp"
#include "length-independence.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"
#include "poslab/experiment/precision.hpp"
#include "poslab/numerics/statistics.hpp"

namespace poslab::experiments {
namespace length_independence {

Axes<LengthIndependence> LengthIndependence::axes() {
  return {{&LengthIndependence::length, length_axis()},
          {&LengthIndependence::dtype, dtype_axis()},
          {&LengthIndependence::multiple,
           {.name = "multiple",
            .default_value = {0.5, 2, 4, 8},
            .range = {.lowest = 0, .highest = 1e6, .above_lowest = true},
            .sentence = "lengths of the other contexts over N, which is the trained length, too"}}};
}

namespace {

constexpr double max_tokens = 0x1p53;  // that can be counted in a double

bool codes_offsets(const host::Scheme& scheme) {
  return attention::natural_kind(scheme) == attention::SignatureKind::offset;
}

// Only where changes have a size to be compared with: a code of zeros that becomes another has none.
void record_shares(const Changes& found, Output& out) {
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
  out.set(LengthIndependence::change, mean);
  out.set(LengthIndependence::largest_change, largest);
  out.set(LengthIndependence::odd_change, odd_mean);
  out.set(LengthIndependence::largest_odd_change, odd_largest);
  if (!same_place.empty() && !has_infinity(same_place)) out.set(LengthIndependence::same_place_change, same_place);
}

void record_moved(const Changes& found, Index N, Output& out) {
  std::vector<double> moved;
  for (const Change& change : found.by_context) {
    moved.insert(moved.end(), change.moved.begin(), change.moved.end());
    moved.insert(moved.end(), static_cast<std::size_t>(N) - change.moved.size(),
                 std::numeric_limits<double>::quiet_NaN());
  }
  out.set(LengthIndependence::moved, moved);
}

}  // namespace

std::optional<base::Refusal> LengthIndependence::why_skip(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  if (!of.placement.is_plain())
    return fmt::format(
        "length-independence compares the tokens 0, 1, 2, ... of sequences of several lengths: that is "
        "not asked of positions = {}",
        of.placement.text());
  const std::vector<double> asked = rising(multiple);
  if (asked.empty()) return "the list of multiples is empty: there is no other context to compare with";
  const double N = static_cast<double>(length);
  if (asked.front() * N < 1)
    return fmt::format("{} times a length of {:g} is less than one token: a multiple of at least {:g} is needed",
                       asked.front(), N, 1 / N);
  if (asked.back() * N > max_tokens)
    return fmt::format("{} times a length of {:g} are more tokens than can be counted exactly", asked.back(), N);
  if (auto refusal = attention::why_no_signature(scheme, attention::natural_kind(scheme))) return refusal;
  if (auto refusal = why_not_finite(scheme, "distances of its codes mean nothing")) return refusal;
  if (!codes_offsets(scheme)) return scheme.why_not_positions(0, N - 1);
  if (auto refusal = scheme.why_not_mask(true)) return refusal;
  // Offsets need the query of each context; positions only those that two contexts share.
  return scheme.why_not_positions(0, std::max(N, whole_share(asked.back(), N)) - 1);
}

void LengthIndependence::run(const ExperimentInput& input, Output& out) const {
  const Changes found = with_dtype(dtype, [&]<class S>(S) { return changes<S>(*this, input); });
  out.coordinate<Multiple>(rising(multiple));
  const std::vector<Index> odd = odd_lengths(input.scheme);
  out.coordinate<OddLength>({odd.begin(), odd.end()});
  out.coordinate<Position>(numbers_below(length));
  out.set(norm, found.norm);
  record_shares(found, out);
  record_moved(found, length, out);
}

// Codes of the own context and of all others; those of offsets a second time with the query at its place, each as
// blocks first.
data::Estimate LengthIndependence::estimate(const Setting& of) const {
  const Needs needs(of.scheme, dtype);
  const auto [N] = reckoned(length);
  const bool of_offsets = codes_offsets(of.scheme);
  std::vector<Index> lengths = other_lengths(), odd = odd_lengths(of.scheme);
  lengths.insert(lengths.end(), odd.begin(), odd.end());
  double tokens = N, longest = N;
  for (const Index T : lengths) {
    tokens += of_offsets ? static_cast<double>(T) : std::min(N, static_cast<double>(T));
    longest = std::max(longest, static_cast<double>(T));
  }
  if (!of_offsets)
    return {needs.bytes * (tokens * needs.code_width() + N * needs.D) + 30 * N * static_cast<double>(lengths.size()),
            needs.encode(tokens) + needs.transform(tokens) + 10 * tokens * needs.code_width()};
  return {needs.bytes * (1.3 * needs.offset_blocks(tokens) + needs.offset_signatures(longest)) +
              30 * N * static_cast<double>(lengths.size()),
          2 * needs.probe_offsets(tokens) + 20 * tokens * needs.offset_width()};
}

}  // namespace length_independence

Experiment make_length_independence() { return experiment_of<length_independence::LengthIndependence>(); }

}  // namespace poslab::experiments
