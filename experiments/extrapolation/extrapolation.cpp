// SPDX-License-Identifier: Apache-2.0
// What happens beyond the trained length? Definitions: extrapolation.md.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "attention_beyond.hpp"
#include "codes.hpp"
#include "grid.hpp"
#include "measured_positions.hpp"
#include "novelty.hpp"
#include "planes.hpp"
#include "poslab/attention/signatures.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/precision.hpp"
#include "untrained.hpp"

namespace poslab::experiments {
namespace extrapolation {

data::ExperimentInfo describe();  // declaration.cpp
data::AnswerColumn column();      // answer.cpp
data::Answer answer(const Point& point);

namespace {

void record_defined(const std::vector<MeasuredPosition>& measured, data::Record& record) {
  std::vector<double> positions, defined;
  for (const MeasuredPosition& one : measured) {
    positions.push_back(static_cast<double>(one.position));
    defined.push_back(one.defined ? 1 : 0);
  }
  record.coordinate("position", positions);
  record.curve("defined", {"position"}, defined);
}

template <class S>
void record_novelty(const ExperimentInput& input, const std::vector<MeasuredPosition>& measured, data::Record& record) {
  const Codes codes = draw_codes<S>(input, measured);
  std::vector<double> distances = nearest_distances(codes.tested(), codes.trained());
  for (double& distance : distances)
    if (distance <= codes.rounding) distance = 0;
  const double unit = neighbour_distance(codes.trained());
  std::vector<double> curve;
  auto distance = distances.begin();
  for (const MeasuredPosition& one : measured)
    curve.push_back(one.defined ? novelty(*distance++, unit) : std::numeric_limits<double>::quiet_NaN());
  record.curve("novelty", {"position"}, curve);

  std::vector<double> moved, times;
  for (const Index multiple : multiples(input.axes)) times.push_back(static_cast<double>(multiple));
  for (const double distance_moved : codes.moved) moved.push_back(novelty(distance_moved, unit));
  record.coordinate("multiple", times);
  record.curve("context_change", {"multiple"}, moved);
}

template <class S>
void record_attention(const ExperimentInput& input, const std::vector<MeasuredPosition>& measured,
                      data::Record& record) {
  const AttentionBeyond beyond = attention_beyond<S>(input, measured);
  std::vector<double> excess;
  for (std::size_t i = 0; i < measured.size(); ++i)
    excess.push_back(beyond.logit_drift[i] - beyond.logit_drift_none[i]);
  record.curve("logit_drift", {"position"}, beyond.logit_drift);
  record.curve("logit_drift_none", {"position"}, beyond.logit_drift_none);
  record.curve("logit_drift_excess", {"position"}, excess);
  record.curve("equal_drift", {"position"}, beyond.equal_drift);
  record.curve("effective_window", {"position"}, beyond.effective_window);
}

void record_planes(const ExperimentInput& input, data::Record& record) {
  const Index L = input.axes.integer("train_length");
  const host::Weights<double> weights = draw_weights<double>(input);
  const auto rotating = planes(input.scheme, {L, L, true}, weights.of_layer(0));
  if (!rotating) return;
  record.scalar("unseen_planes", unseen(*rotating, L).planes);
  record.scalar("unseen_phase", unseen(*rotating, L).phase);
}

data::Record run(const ExperimentInput& input) {
  data::Record record;
  if (input.placement.is_grid()) {
    with_dtype(input.axes, [&](auto scalar) { record_grid<decltype(scalar)>(input, record); });
    return record;
  }
  const std::vector<MeasuredPosition> measured = measured_positions(input.scheme, input.axes);
  record_defined(measured, record);
  if (knows_untrained(input.scheme)) record.curve("untrained", {"position"}, untrained(input, measured));
  record_planes(input, record);
  with_dtype(input.axes, [&](auto scalar) {
    using S = decltype(scalar);
    record_novelty<S>(input, measured, record);
    record_attention<S>(input, measured, record);
  });
  return record;
}

std::string why_not_so_many(const data::Placement& grid, Index multiple) {
  double cells = 1;
  for (const std::int64_t extent : grid.extents) cells *= static_cast<double>(extent) * static_cast<double>(multiple);
  if (cells <= 1 << 20) return "";
  return fmt::format("{} times the extents of positions = {} are {:.0f} cells, but at most {} are measured", multiple,
                     grid.text(), cells, 1 << 20);
}

std::string why_skip(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (!placement.is_plain() && !placement.is_grid())
    return fmt::format("extrapolation goes from position 0 to beyond train_length: that is not asked of positions = {}",
                       placement.text());
  if (axes.list("multiple").empty()) return "the list of multiples is empty: there is no context to look at";
  for (const double multiple : axes.list("multiple"))
    if (multiple != std::trunc(multiple))
      return fmt::format("a multiple is a whole number of trained lengths, but {} is asked for", multiple);
  if (std::string reason = attention::why_no_signature(scheme, attention::natural_kind(scheme)); !reason.empty())
    return reason;
  if (scheme.claims(POSLAB_MAY_BE_INFINITE))
    return fmt::format("scheme \"{}\" may give -infinity: distances and means of its numbers mean nothing",
                       scheme.info().id);
  if (placement.is_grid()) return why_not_so_many(placement, multiples(axes).back());
  if (const double last = axes.real("train_length") * static_cast<double>(multiples(axes).back()); last > 0x1p53)
    return fmt::format("{} times the trained length are {:.4g} positions, more than can be counted exactly",
                       multiples(axes).back(), last);
  if (std::string reason = scheme.why_not_mask(true); !reason.empty()) return reason;
  return scheme.why_not_positions(0, axes.real("train_length") - 1);
}

data::Estimate estimate_grid(const host::Scheme& scheme, const data::Placement& largest, const data::Placement& grid) {
  const auto G = static_cast<double>(*largest.count()), N = static_cast<double>(*grid.count());
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double width = scheme.has(host::Operation::bias) ? H : D;
  return {8 * G * (3 * width + 12), 2 * G * N * width + 100 * G * D};
}

data::Estimate estimate(const host::Scheme& scheme, const data::Values& axes, const data::Placement& placement) {
  if (placement.is_grid()) return estimate_grid(scheme, times(placement, multiples(axes).back()), placement);
  const double L = axes.real("train_length"), N = L * static_cast<double>(multiples(axes).back());
  const auto D = static_cast<double>(scheme.model().model_width), H = static_cast<double>(scheme.model().heads);
  const double measured = std::min(L, axes.real("points")) * N / L;
  const double width = scheme.has(host::Operation::score) ? 4 * D : scheme.has(host::Operation::bias) ? H : D;
  const double probes = scheme.has(host::Operation::score) ? 3 * 3 * N * (D + H) : 0;
  data::Estimate guess;
  guess.bytes = 8 * (2 * N * width + probes + 4 * N * D + 4 * 3 * 32 * H * N);
  guess.operations = 2 * measured * L * width + measured * N * (D + 20 * H) + L * L * D + 100 * N * D;
  return guess;
}

Index train_length(const data::Values& axes) { return axes.integer("train_length"); }

}  // namespace
}  // namespace extrapolation

Experiment make_extrapolation() {
  using namespace extrapolation;
  return {describe(), why_skip, estimate, run, train_length, column(), answer};
}

}  // namespace poslab::experiments
