// SPDX-License-Identifier: Apache-2.0
// Up to which position do sines and cosines that are made in 16 bits serve? Definitions: precision.md.
// Dimension letters: N positions, M positions of a window, C contents, W channels, J planes.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "logit_error.hpp"
#include "poslab/base/text.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/inner_axes.hpp"

namespace poslab::experiments {
namespace precision {

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

namespace {

using host::Operation;

constexpr Index window_length = 64;

const numerics::Format& format_of(const data::Values& axes) {
  return axes.text("format") == numerics::float16.name ? numerics::float16 : numerics::bfloat16;
}

Use use_of(const host::Scheme& scheme) { return scheme.has(Operation::encode) ? Use::add : Use::rotate; }

// A scheme that makes its logits itself (PoPE) does something else with its sines and cosines.
bool logits_are_of_tables(const host::Scheme& scheme) {
  return scheme.has(Operation::encode) || scheme.has(Operation::transform);
}

Index channels_of(const host::Scheme& scheme) {
  return use_of(scheme) == Use::add ? scheme.model().model_width : scheme.model().head_width();
}

void record_tables(const std::vector<double>& positions, std::span<const double> frequencies,
                   const numerics::Format& format, data::Record& record) {
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
  record.curve("cosine_error", {"stage"}, cosine);
  record.curve("cosine_error_position", {"stage"}, position);
  record.curve("cosine_error_plane", {"stage"}, plane);
  record.curve("table_error", {"stage"}, largest);
  record.curve("distinct_codes", {"stage"}, codes);
}

void record_positions(std::vector<double> positions, const std::vector<double>& shifts, const numerics::Format& format,
                      data::Record& record) {
  std::vector<double> different;
  double moved = 0;
  for (const double shift : shifts) {
    for (double& position : positions) position += shift - moved;
    moved = shift;
    different.push_back(distinct_positions(positions, format));
  }
  record.curve("distinct_positions", {"shift"}, different);
}

double breaks_at(const std::vector<double>& moved, const std::vector<double>& shifts) {
  for (std::size_t r = 0; r < shifts.size(); ++r)
    if (moved[r] > broken || std::isnan(moved[r])) return shifts[r];
  return std::numeric_limits<double>::quiet_NaN();
}

void record_logits(const ExperimentInput& input, const LogitSetting& setting, const numerics::Format& format,
                   data::Record& record) {
  const auto M = static_cast<Index>(setting.window.size());
  const Index C = input.axes.integer("contents"), W = channels_of(input.scheme);
  const Array<double> queries = input.draws.normal("query", {C, M, W}), keys = input.draws.normal("key", {C, M, W});
  std::vector<double> largest, root_mean_square, moved, broken_from;
  for (const Stage stage : all_stages) {
    const LogitErrors errors = logit_errors(setting, Rounding(stage, format), queries, keys);
    largest.insert(largest.end(), errors.largest.begin(), errors.largest.end());
    root_mean_square.insert(root_mean_square.end(), errors.root_mean_square.begin(), errors.root_mean_square.end());
    moved.insert(moved.end(), errors.moved.begin(), errors.moved.end());
    broken_from.push_back(breaks_at(errors.moved, setting.shifts));
  }
  record.curve("logit_error", {"stage", "shift"}, largest);
  record.curve("logit_error_rms", {"stage", "shift"}, root_mean_square);
  if (setting.use == Use::add) return;  // content logits depend on the position without any rounding
  record.curve("shift_error", {"stage", "shift"}, moved);
  record.curve("breaks_at", {"stage"}, broken_from);
}

data::Record run(const ExperimentInput& input) {
  const Index N = input.axes.integer("length");
  const Array<double> placed = input.positions(N);
  const std::vector<double> positions(placed.data(), placed.data() + N);
  const std::vector<double> window(positions.begin(), positions.begin() + std::min(window_length, N));
  const std::vector<double> shifts = rising(input.axes.list("shift"));
  const numerics::Format& format = format_of(input.axes);
  const std::span<const double> frequencies = input.scheme.inverse_frequency();
  std::vector<double> stages;
  for (const Stage stage : all_stages) stages.push_back(static_cast<double>(stage));
  data::Record record;
  record.coordinate("stage", stages);
  record.coordinate("shift", shifts);
  record_tables(positions, frequencies, format, record);
  record_positions(positions, shifts, format, record);
  if (logits_are_of_tables(input.scheme))
    record_logits(input, {frequencies, window, shifts, use_of(input.scheme)}, format, record);
  return record;
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  const std::span<const double> frequencies = scheme.inverse_frequency();
  if (frequencies.empty())
    return fmt::format(
        "scheme \"{}\" declares no inverse frequencies: it makes no angles, or keeps to itself from what it makes them",
        scheme.info().id);
  if (placement.axes() > 1)
    return fmt::format("positions = {} have {} axes: stages are rounded for positions of one axis, as in text",
                       placement.text(), placement.axes());
  if (axes.list("shift").empty()) return "the list of shifts is empty: there is no position to look at";
  const numerics::Format& format = format_of(axes);
  const double lowest = placement.lowest(), highest = placement.highest(axes.integer("length"));
  const double farthest = std::abs(lowest) > std::abs(highest) ? lowest : highest,
               fastest = *std::max_element(frequencies.begin(), frequencies.end());
  for (const auto& [what, number] : {std::pair{"position", farthest}, {"angle", farthest * fastest}})
    if (!std::isfinite(numerics::rounded(number, format)))
      return fmt::format(
          "the {} {} is none in {}, whose largest number is {}: take positions nearer to 0 or another format", what,
          base::shortest(number), format.name, base::shortest(format.largest));
  return scheme.why_not_positions(lowest, highest);
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement&) {
  const double N = axes.real("length"), C = axes.real("contents"), R = static_cast<double>(axes.list("shift").size());
  const double J = static_cast<double>(scheme.inverse_frequency().size()), W = static_cast<double>(channels_of(scheme)),
               M = std::min(N, static_cast<double>(window_length)), stages = all_stages.size();
  const double at_once = std::min(C, static_cast<double>(tbb::this_task_arena::max_concurrency()));
  return {8 * (7 * N * J + 2 * C * M * W + 4 * R * M * J + at_once * (4 * M * W + 3 * M * M) + 12 * N),
          stages * (60 * N * J + 2 * C * R * M * M * 2 * W)};
}

}  // namespace
}  // namespace precision

Experiment make_precision() {
  using namespace precision;
  return {describe(), why_skip, estimate, run, axis_length, column(), answer};
}

}  // namespace poslab::experiments
