// SPDX-License-Identifier: Apache-2.0
// Cells and outcomes.
#include <utility>

#include "pack/pack_bytes.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::data {
namespace {

constexpr char outcome_letter = 'O', cell_letter = 'C', weights_letter = 'W';

void write_placement(PackWriter& out, const Placement& placement) {
  out.number(static_cast<std::uint64_t>(placement.policy));
  out.signed_number(placement.by), out.signed_number(placement.range);
  out.list(placement.extents, [&](std::int64_t extent) { out.signed_number(extent); });
  out.reals(placement.values);
}

Placement read_placement(PackReader& in) {
  Placement placement;
  placement.policy = in.one_of(Placement::Policy::at);
  placement.by = in.signed_number(), placement.range = in.signed_number();
  placement.extents = in.list<std::int64_t>([&] { return in.signed_number(); });
  placement.values = in.reals();
  return placement;
}

void read_kept(PackReader& in, Record& record) {
  std::string title = in.text();
  record.trained({std::move(title), in.signed_number()});
  for (auto count = in.count_of_extension(); count > 0; --count) record.keep(in.array());
}

// Status and state of weights share a number: of outcomes that were packed before the latter was known it is below
// this.
constexpr std::uint64_t states_with_weights = 8;

std::uint64_t states_number(const Outcome& outcome) {
  return static_cast<std::uint64_t>(outcome.status) +
         states_with_weights * (1 + static_cast<std::uint64_t>(outcome.weights));
}

void read_states(std::uint64_t number, Outcome& outcome) {
  const std::uint64_t status = number % states_with_weights, weights = number / states_with_weights;
  if (status > static_cast<std::uint64_t>(Status::skipped) ||
      weights > 1 + static_cast<std::uint64_t>(WeightsState::given))
    throw NotPacked(NotPacked::Problem::out_of_range);
  outcome.status = static_cast<Status>(status);
  if (weights > 0) outcome.weights = static_cast<WeightsState>(weights - 1);
}

}  // namespace

std::string pack(const Outcome& outcome) {
  PackWriter out(outcome_letter);
  out.number(states_number(outcome));
  out.text(outcome.message);
  out.real(outcome.seconds);
  out.list(outcome.record.coordinates(), [&](const Coordinate& c) { out.text(c.dimension), out.reals(c.values); });
  out.list(outcome.record.position_coordinates(),
           [&](const PositionCoordinate& p) { out.text(p.dimension), out.text(p.axis), out.reals(p.values); });
  out.list(outcome.record.measurements(),
           [&](const Measurement& m) { out.text(m.name), out.texts(m.dimensions), out.reals(m.values); });
  if (const Record& record = outcome.record; !record.kept().empty()) {
    out.extend();
    out.text(record.training().title), out.signed_number(record.training().steps);
    out.list(record.kept(), [&](const KeptArray& array) { out.array(array); });
  }
  return out.finish();
}

Outcome unpack_outcome(std::string_view bytes) {
  PackReader in(bytes, outcome_letter, Extension::possible);
  Outcome outcome;
  const std::uint64_t states = in.number();
  read_states(states, outcome);
  outcome.message = in.text();
  if (states < states_with_weights) outcome.weights = state_by_old_note(outcome.status, outcome.message);
  outcome.seconds = in.real();
  try {
    for (auto count = in.count_of_named(); count > 0; --count) {
      std::string dimension = in.text();
      outcome.record.coordinate(std::move(dimension), in.reals());
    }
    for (auto count = in.count_of_named(); count > 0; --count) {
      std::string dimension = in.text(), axis = in.text();
      outcome.record.position_coordinate(std::move(dimension), std::move(axis), in.reals());
    }
    for (auto count = in.count_of_named(); count > 0; --count) {
      std::string name = in.text();
      std::vector<std::string> dimensions = in.texts();
      std::vector<double> values = in.reals();
      if (dimensions.empty() && values.size() == 1)
        outcome.record.scalar(std::move(name), values.front());
      else
        outcome.record.curve(std::move(name), std::move(dimensions), std::move(values));
    }
    if (in.is_extended()) read_kept(in, outcome.record);
  } catch (const NotPacked&) {
    throw;
  } catch (const base::Error& mistake) {  // sizes that do not fit together
    throw NotPacked(NotPacked::Problem::contradiction, mistake.what());
  }
  in.finish();
  return outcome;
}

std::string pack(const Cell& cell) {
  PackWriter out(cell_letter);
  out.text(cell.id), out.text(cell.experiment);
  out.text(cell.variant.scheme), out.text(cell.variant.label);
  out.values(cell.variant.parameters);
  out.texts(cell.variant.varied);
  out.values(cell.axes);
  out.number(cell.seed), out.signed_number(cell.repeat);
  out.text(cell.skip);
  write_placement(out, cell.placement);
  if (!cell.given.empty()) {
    out.extend();
    out.list(cell.given, [&](const Given& given) { out.text(given.name), out.text(given.hash); });
  }
  return out.finish();
}

Cell unpack_cell(std::string_view bytes) {
  PackReader in(bytes, cell_letter, Extension::possible);
  Cell cell;
  cell.id = in.text(), cell.experiment = in.text();
  cell.variant.scheme = in.text(), cell.variant.label = in.text();
  cell.variant.parameters = in.values();
  cell.variant.varied = in.texts();
  cell.axes = in.values();
  cell.seed = in.number(), cell.repeat = in.small_number();
  cell.skip = in.text();
  cell.placement = read_placement(in);
  if (in.is_extended())
    for (auto count = in.count_of_extension(); count > 0; --count) {
      Given& given = cell.given.emplace_back();
      given.name = in.text(), given.hash = in.text();
    }
  in.finish();
  return cell;
}

std::string pack(const GivenWeights& weights) {
  PackWriter out(weights_letter);
  out.text(weights.note);
  out.list(weights.arrays, [&](const KeptArray& array) { out.array(array); });
  return out.finish();
}

GivenWeights unpack_given_weights(std::string_view bytes) {
  PackReader in(bytes, weights_letter, Extension::never);
  GivenWeights weights;
  weights.note = in.text();
  for (auto count = in.count_of_named(); count > 0; --count) weights.arrays.push_back(in.array());
  in.finish();
  return weights;
}

}  // namespace poslab::data
