// SPDX-License-Identifier: Apache-2.0
// Dimension letters: N positions, M positions of a window, C contents, W channels, J planes.
#include "precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "logit_error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/inner_axes.hpp"
#include "poslab/experiment/needs.hpp"

namespace poslab::experiments {
namespace precision {

Axes<Precision> Precision::axes() {
  return {
      {&Precision::length, length_axis(2048)},
      {&Precision::contents, contents_axis()},
      {&Precision::format,
       {.name = "format",
        .choices = {{Format::bfloat16, numerics::bfloat16.name}, {Format::float16, numerics::float16.name}},
        .sentence = "to what numbers are rounded: 8 bits of significand up to 3.39e38, or 11 up to 65504"}},
      {&Precision::shift,
       {.name = "shift",
        .default_value = {0, 64, 256, 1024, 4096, 16384, 65536},
        .range = {.lowest = 0},
        .unit = "position",
        .sentence = "by how much all positions are moved"}},
  };
}

namespace {

using host::Operation;

Use use_of(const host::Scheme& scheme) { return scheme.has(Operation::encode) ? Use::add : Use::rotate; }

// A scheme that makes its logits itself (PoPE) does something else with its sines and cosines.
bool logits_are_of_tables(const host::Scheme& scheme) {
  return scheme.has(Operation::encode) || scheme.has(Operation::transform);
}

Index channels_of(const host::Scheme& scheme) {
  return use_of(scheme) == Use::add ? scheme.model().model_width : scheme.model().head_width();
}

void record_tables(const std::vector<double>& positions, std::span<const double> frequencies,
                   const numerics::Format& format, Output& out) {
  const Table exact = table(positions, frequencies, Rounding());
  std::vector<double> cosine, position, plane, largest, codes;
  for (const Stage stage : all_stages) {
    const Table kept = table(positions, frequencies, Rounding(stage, format));
    const TableError error = table_error(exact, kept);
    cosine.push_back(error.largest_of_cosines);
    position.push_back(positions[static_cast<std::size_t>(error.row)]);
    plane.push_back(static_cast<double>(error.plane));
    largest.push_back(error.largest);
    codes.push_back(distinct_codes(kept));
  }
  out.set(Precision::cosine_error, cosine);
  out.set(Precision::cosine_error_position, position);
  out.set(Precision::cosine_error_plane, plane);
  out.set(Precision::table_error, largest);
  out.set(Precision::distinct_codes, codes);
}

void record_positions(std::vector<double> positions, const std::vector<double>& shifts, const numerics::Format& format,
                      Output& out) {
  std::vector<double> different;
  double moved = 0;
  for (const double shift : shifts) {
    for (double& position : positions) position += shift - moved;
    moved = shift;
    different.push_back(distinct_positions(positions, format));
  }
  out.set(Precision::distinct_positions, different);
}

double breaks_at(const std::vector<double>& moved, const std::vector<double>& shifts) {
  for (std::size_t r = 0; r < shifts.size(); ++r)
    if (moved[r] > broken || std::isnan(moved[r])) return shifts[r];
  return std::numeric_limits<double>::quiet_NaN();
}

void record_logits(const Precision& at, const ExperimentInput& input, const LogitSetting& setting, Output& out) {
  const auto M = static_cast<Index>(setting.window.size());
  const Index C = at.contents, W = channels_of(input.scheme);
  const Array<double> queries = input.draws.normal("query", {C, M, W}), keys = input.draws.normal("key", {C, M, W});
  std::vector<double> largest, root_mean_square, moved, broken_from;
  for (const Stage stage : all_stages) {
    const LogitErrors errors = logit_errors(setting, Rounding(stage, at.numbers()), queries, keys);
    largest.insert(largest.end(), errors.largest.begin(), errors.largest.end());
    root_mean_square.insert(root_mean_square.end(), errors.root_mean_square.begin(), errors.root_mean_square.end());
    moved.insert(moved.end(), errors.moved.begin(), errors.moved.end());
    broken_from.push_back(breaks_at(errors.moved, setting.shifts));
  }
  out.set(Precision::logit_error, largest);
  out.set(Precision::logit_error_rms, root_mean_square);
  if (setting.use == Use::add) return;  // content logits depend on the position without any rounding
  out.set(Precision::shift_error, moved);
  out.set(Precision::breaks_at, broken_from);
}

}  // namespace

void Precision::run(const ExperimentInput& input, Output& out) const {
  const Array<double> placed = input.positions(length);
  const std::vector<double> positions(placed.data(), placed.data() + length);
  const std::vector<double> window(positions.begin(), positions.begin() + std::min(window_length, length));
  const std::vector<double> shifts = rising(shift);
  const std::span<const double> frequencies = input.scheme.inverse_frequency();
  out.coordinate<AtStage>(numbers_below(std::ssize(all_stages)));
  out.coordinate<Shift>(shifts);
  record_tables(positions, frequencies, numbers(), out);
  record_positions(positions, shifts, numbers(), out);
  if (logits_are_of_tables(input.scheme))
    record_logits(*this, input, {frequencies, window, shifts, use_of(input.scheme)}, out);
}

std::optional<base::Refusal> Precision::why_skip(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const data::Placement& placement = of.placement;
  const std::span<const double> frequencies = scheme.inverse_frequency();
  if (frequencies.empty())
    return "it declares no inverse frequencies: it makes no angles, or keeps to itself from what it makes them";
  if (placement.axes() > 1)
    return fmt::format("positions = {} have {} axes: stages are rounded for positions of one axis, as in text",
                       placement.text(), placement.axes());
  if (shift.empty()) return "the list of shifts is empty: there is no position to look at";
  const double lowest = placement.lowest(), highest = placement.highest(length);
  const double farthest = std::abs(lowest) > std::abs(highest) ? lowest : highest,
               fastest = *std::max_element(frequencies.begin(), frequencies.end());
  for (const auto& [what, number] : {std::pair{"position", farthest}, {"angle", farthest * fastest}})
    if (!std::isfinite(numerics::rounded(number, numbers())))
      return fmt::format(
          "the {} {} is none in {}, whose largest number is {}: take positions nearer to 0 or another format", what,
          base::shortest(number), numbers().name, base::shortest(numbers().largest));
  return scheme.why_not_positions(lowest, highest);
}

// Tables of all planes, kept and exact; those of a window at every shift, and the logits of one content.
data::Estimate Precision::estimate(const Setting& of) const {
  const host::Scheme& scheme = of.scheme;
  const auto [N, C, R, J, W, M] = reckoned(length, contents, shift.size(), scheme.inverse_frequency().size(),
                                           channels_of(scheme), std::min(length, window_length));
  const double stages = all_stages.size();
  return {8 * (7 * N * J + 2 * C * M * W + 4 * R * M * J + at_once(C) * (4 * M * W + 3 * M * M) + 12 * N),
          stages * (60 * N * J + 2 * C * R * M * M * 2 * W)};
}

}  // namespace precision

Experiment make_precision() { return experiment_of<precision::Precision>(); }

}  // namespace poslab::experiments
