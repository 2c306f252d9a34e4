// SPDX-License-Identifier: Apache-2.0
// A record is 16 hex digits of the SHA-256 of all that follows, one letter for its kind, one byte of version, the
// members in order.
#include "poslab/data/pack.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/hash.hpp"

namespace poslab::data {

// A later version has members that the one before has not, behind all others; it is written only where one of them is
// not empty, so that older records are read and written as they were. `version_for` says which an item needs.
constexpr int first_version = 1;
constexpr std::size_t checksum_size = 16;  // hex digits

template <class T>
constexpr char letter = 0;
template <>
constexpr char letter<Outcome> = 'O';
template <>
constexpr char letter<Cell> = 'C';
template <>
constexpr char letter<SchemeInfo> = 'S';
template <>
constexpr char letter<ExperimentInfo> = 'E';
template <>
constexpr char letter<Expectation> = 'X';
template <>
constexpr char letter<Values> = 'V';
template <>
constexpr char letter<GivenWeights> = 'W';
template <>
constexpr char letter<GivenNetwork> = 'N';

// Members are looked up by their argument, which finds no unnamed namespace.

// What a scheme or an experiment declares of itself.

template <class Archive, class T>
void quantity_members(Archive& archive, T& q) {
  archive(q.name, q.unit, q.sentence, q.kind, q.default_value, q.range.lowest, q.range.highest, q.range.above_lowest,
          q.range.below_highest, q.choices, q.may_be_unset);
}
template <class Archive, Of<Quantity> T>
void members(Archive& archive, T& quantity) {
  quantity_members(archive, quantity);
}
template <class Archive, Of<AxisInfo> T>
void members(Archive& archive, T& axis) {
  quantity_members(archive, axis);
  archive(axis.inner);
}
template <class Archive, Of<LinkedLibrary> T>
void members(Archive& archive, T& library) {
  archive(library.file, library.hash);
}
static bool says_what_is_usual(const SchemeInfo& scheme) {
  return std::any_of(scheme.parameters.begin(), scheme.parameters.end(),
                     [](const Quantity& q) { return !q.usual.empty() || q.role != Role::none; });
}
static int version_for(const SchemeInfo& scheme) {
  if (says_what_is_usual(scheme) || std::any_of(scheme.parts.begin(), scheme.parts.end(), says_what_is_usual)) return 3;
  return scheme.parts.empty() ? 1 : 2;
}
template <class Archive, class T>
void scheme_members(Archive& archive, T& s) {
  archive(s.id, s.title, s.version, s.paper, s.summary, s.formula, s.used_in, s.file, s.file_hash, s.family,
          s.least_axes, s.most_axes, s.real_positions, s.parameters, s.linked);
  if (archive.version() < 3) return;
  for (auto& parameter : s.parameters) archive(parameter.usual, parameter.role);
}
template <class Archive, Of<SchemeInfo> T>
void members(Archive& archive, T& s) {
  scheme_members(archive, s);
  if (archive.version() < 2) return;
  std::uint64_t count = s.parts.size();  // parts have none of their own, so that no bytes nest without end
  archive(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if constexpr (Archive::reads) s.parts.emplace_back();
    scheme_members(archive, s.parts[i]);
  }
}
template <class Archive, Of<Tolerance> T>
void members(Archive& archive, T& t) {
  for_each_part(t, [&](const char*, auto& part) { archive(part); });
}
template <class Archive, Of<MeasureInfo> T>
void members(Archive& archive, T& m) {
  archive(m.name, m.dimensions);
  const auto pack_member = [&](const char*, auto& member) { archive(member); };
  for_each_description(m, pack_member);
  for_each_bound(m, pack_member);
}
template <class Archive, Of<DimensionInfo> T>
void members(Archive& archive, T& d) {
  archive(d.name, d.unit, d.sentence, d.within, d.times);
}
template <class Archive, Of<FileInfo> T>
void members(Archive& archive, T& file) {
  archive(file.name, file.sentence);
}
static int version_for(const ExperimentInfo& experiment) { return experiment.files.empty() ? 1 : 2; }
template <class Archive, Of<ExperimentInfo> T>
void members(Archive& archive, T& e) {
  archive(e.id, e.version, e.title, e.question, e.axes, e.dimensions, e.measures, e.draws_contents);
  if (archive.version() >= 2) archive(e.files);
}

// What a study asks.

static int version_for(const Expectation& expected) {
  const bool is_plain =
      expected.gate == Gate::within && expected.repeats == OverRepeats::each && expected.minus.empty();
  return is_plain ? 1 : 2;
}
template <class Archive, Of<Expectation> T>
void members(Archive& archive, T& e) {
  archive(e.experiment, e.measure, e.where, e.value, e.tolerance, e.source, e.line, e.column);
  if (archive.version() >= 2) archive(e.gate, e.repeats, e.minus);
}
template <class Archive, Of<LayerVariant> T>
void members(Archive& archive, T& layer) {
  archive(layer.scheme, layer.parameters);
}
template <class Archive, Of<Variant> T>
void members(Archive& archive, T& variant) {
  archive(variant.scheme, variant.label, variant.parameters, variant.varied);
}
template <class Archive, Of<Placement> T>
void members(Archive& archive, T& p) {
  archive(p.policy, p.by, p.range, p.extents, p.values);
}
template <class Archive, Of<Given> T>
void members(Archive& archive, T& given) {
  archive(given.name, given.hash);
}
static int version_for(const Cell& cell) {
  if (!cell.variant.layers.empty()) return 3;
  return cell.given.empty() ? 1 : 2;
}
template <class Archive, Of<Cell> T>
void members(Archive& archive, T& c) {
  archive(c.id, c.experiment, c.variant, c.axes, c.seed, c.repeat, c.skip, c.placement);
  if (archive.version() >= 2) archive(c.given);
  if (archive.version() >= 3) archive(c.variant.layers);
}
template <class Archive, Of<GivenWeights> T>
void members(Archive& archive, T& weights) {
  archive(weights.note, weights.arrays);
}

// What became of a cell.

template <class Archive, Of<Coordinate> T>
void members(Archive& archive, T& coordinate) {
  archive(coordinate.dimension, coordinate.values);
}
template <class Archive, Of<PositionCoordinate> T>
void members(Archive& archive, T& coordinate) {
  archive(coordinate.dimension, coordinate.axis, coordinate.values);
}
template <class Archive, Of<Measurement> T>
void members(Archive& archive, T& measurement) {
  archive(measurement.name, measurement.dimensions, measurement.values);
}
template <class Archive, Of<Training> T>
void members(Archive& archive, T& training) {
  archive(training.title, training.steps);
}

template <class Archive, Of<GivenNetwork> T>
void members(Archive& archive, T& network) {
  archive(network.training, network.axes, network.arrays);
}

static void members(Writer& out, const Record& record) {
  out(record.coordinates(), record.position_coordinates(), record.measurements());
  if (out.version() >= 2) out(record.training(), record.kept());
}
static void members(Reader& in, Record& record) try {
  std::vector<Coordinate> coordinates;
  std::vector<PositionCoordinate> positions;
  std::vector<Measurement> measurements;
  in(coordinates, positions, measurements);
  for (Coordinate& c : coordinates) record.coordinate(std::move(c.dimension), std::move(c.values));
  for (PositionCoordinate& p : positions)
    record.position_coordinate(std::move(p.dimension), std::move(p.axis), std::move(p.values));
  for (Measurement& m : measurements) record.curve(std::move(m.name), std::move(m.dimensions), std::move(m.values));
  if (in.version() < 2) return;
  Training training;
  std::vector<KeptArray> kept;
  in(training, kept);
  record.trained(std::move(training));
  for (KeptArray& array : kept) record.keep(std::move(array));
} catch (const NotPacked&) {
  throw;
} catch (const base::Error& mistake) {  // sizes that do not fit together
  throw NotPacked(NotPacked::Problem::contradiction, mistake.what());
}

// Status and state of weights share a number: of outcomes that were packed before the latter was known it is below
// this.
constexpr std::uint64_t states_with_weights = 8;

static std::uint64_t states_number(const Outcome& outcome) {
  return static_cast<std::uint64_t>(outcome.status) +
         states_with_weights * (1 + static_cast<std::uint64_t>(outcome.weights));
}

static void set_states(std::uint64_t number, Outcome& outcome) {
  const std::uint64_t status = number % states_with_weights, weights = number / states_with_weights;
  if (status > static_cast<std::uint64_t>(Status::skipped) ||
      weights > 1 + static_cast<std::uint64_t>(WeightsState::given))
    throw NotPacked(NotPacked::Problem::out_of_range);
  outcome.status = static_cast<Status>(status);
  outcome.weights =
      weights > 0 ? static_cast<WeightsState>(weights - 1) : state_by_old_note(outcome.status, outcome.message);
}

// Those that the first version had not: all but the seconds, by name, where they are known.
static Values later_facts(const Outcome& outcome) {
  Values facts;
  for_each_fact(outcome, [&](const char* name, const char*, const char*, double fact) {
    if (fact != 0 && name != std::string_view("seconds")) facts.set(name, fact);
  });
  return facts;
}

static void set_later_facts(const Values& facts, Outcome& outcome) {
  for_each_fact(outcome, [&](const char* name, const char*, const char*, double& fact) {
    if (const Value* known = facts.find(name); known && name != std::string_view("seconds"))
      if (const auto* number = std::get_if<double>(known)) fact = *number;
  });
  if (later_facts(outcome) != facts)
    throw NotPacked(NotPacked::Problem::contradiction, "it has facts that this program does not know");
}

static int version_for(const Outcome& outcome) {
  if (!later_facts(outcome).empty()) return 3;
  return outcome.record.kept().empty() ? 1 : 2;
}
template <class Archive, Of<Outcome> T>
void members(Archive& archive, T& outcome) {
  std::uint64_t states = Archive::reads ? 0 : states_number(outcome);
  archive(states, outcome.message, outcome.seconds);
  if constexpr (Archive::reads) set_states(states, outcome);
  archive(outcome.record);
  if (archive.version() < 3) return;
  Values facts = later_facts(outcome);
  archive(facts);
  if constexpr (Archive::reads) set_later_facts(facts, outcome);
}

namespace {

template <class T>
constexpr int newest_version = 2;
template <>
constexpr int newest_version<SchemeInfo> = 3;
template <>
constexpr int newest_version<Cell> = 3;
template <>
constexpr int newest_version<Outcome> = 3;

template <class T>
concept Extensible = requires(const T& item) {
  version_for(item);
};
template <class T>
int version_of(const T& item) {
  if constexpr (Extensible<T>) return version_for(item);
  return first_version;
}

}  // namespace

template <class T>
std::string pack(const T& item) {
  const int version = version_of(item);
  Writer out(version);
  out(item);
  const std::string bytes = std::string{letter<T>, static_cast<char>(version)} + std::move(out).finish();
  return base::sha256(bytes).substr(0, checksum_size) + bytes;
}

template <class T>
T unpack(std::string_view bytes) {
  using Problem = NotPacked::Problem;
  if (bytes.size() < checksum_size + 2) throw NotPacked(Problem::too_short);
  const std::string_view sealed = bytes.substr(checksum_size);
  if (base::sha256(sealed).compare(0, checksum_size, bytes.substr(0, checksum_size)) != 0)
    throw NotPacked(Problem::changed);
  if (sealed[0] != letter<T>) throw NotPacked(Problem::other_kind);
  constexpr int newest = Extensible<T> ? newest_version<T> : first_version;
  const int version = sealed[1];
  if (version < first_version || version > newest)
    throw NotPacked(Problem::other_version, fmt::format("{}, this program reads {}", version, newest));
  Reader in(sealed.substr(2), version);
  T item;
  in(item);
  in.finish();
  if (version != version_of(item)) throw NotPacked(Problem::contradiction, "it is extended by nothing");
  return item;
}

#define POSLAB_FOR(T)                  \
  template std::string pack(const T&); \
  template T unpack(std::string_view);
POSLAB_FOR(Outcome)
POSLAB_FOR(Cell)
POSLAB_FOR(SchemeInfo)
POSLAB_FOR(ExperimentInfo)
POSLAB_FOR(Expectation)
POSLAB_FOR(Values)
POSLAB_FOR(GivenWeights)
POSLAB_FOR(GivenNetwork)
#undef POSLAB_FOR

}  // namespace poslab::data
