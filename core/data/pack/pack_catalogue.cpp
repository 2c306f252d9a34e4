// SPDX-License-Identifier: Apache-2.0
// What schemes and experiments declare of themselves, what a study expects, and any named values.
#include "pack/pack_bytes.hpp"
#include "poslab/data/expectation.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::data {
namespace {

constexpr char scheme_letter = 'S', experiment_letter = 'E', expectation_letter = 'X', values_letter = 'V';

void write_quantity(PackWriter& out, const Quantity& quantity) {
  out.text(quantity.name), out.text(quantity.unit), out.text(quantity.sentence);
  out.number(static_cast<std::uint64_t>(quantity.kind));
  out.value(quantity.default_value);
  out.real(quantity.range.lowest), out.real(quantity.range.highest);
  out.flag(quantity.range.above_lowest), out.flag(quantity.range.below_highest);
  out.texts(quantity.choices);
  out.flag(quantity.may_be_unset);
}

void read_quantity(PackReader& in, Quantity& quantity) {
  quantity.name = in.text(), quantity.unit = in.text(), quantity.sentence = in.text();
  quantity.kind = in.one_of(Kind::list);
  quantity.default_value = in.value();
  quantity.range.lowest = in.real(), quantity.range.highest = in.real();
  quantity.range.above_lowest = in.flag(), quantity.range.below_highest = in.flag();
  quantity.choices = in.texts();
  quantity.may_be_unset = in.flag();
}

void write_tolerance(PackWriter& out, const Tolerance& tolerance) {
  out.real(tolerance.absolute), out.real(tolerance.relative);
  out.real(tolerance.per_position), out.real(tolerance.per_length);
  out.flag(tolerance.statistical);
}

Tolerance read_tolerance(PackReader& in) {
  Tolerance tolerance;
  tolerance.absolute = in.real(), tolerance.relative = in.real();
  tolerance.per_position = in.real(), tolerance.per_length = in.real();
  tolerance.statistical = in.flag();
  return tolerance;
}

void write_measure(PackWriter& out, const MeasureInfo& measure) {
  out.text(measure.name);
  out.texts(measure.dimensions);
  out.text(measure.unit), out.text(measure.sentence), out.text(measure.definition), out.text(measure.null_value);
  write_tolerance(out, measure.tolerance);
  out.flag(measure.float32.has_value());
  if (measure.float32) write_tolerance(out, *measure.float32);
  out.text(measure.tolerance_unit);
}

MeasureInfo read_measure(PackReader& in) {
  MeasureInfo measure;
  measure.name = in.text();
  measure.dimensions = in.texts();
  measure.unit = in.text(), measure.sentence = in.text(), measure.definition = in.text(),
  measure.null_value = in.text();
  measure.tolerance = read_tolerance(in);
  if (in.flag()) measure.float32 = read_tolerance(in);
  measure.tolerance_unit = in.text();
  return measure;
}

}  // namespace

std::string pack(const SchemeInfo& scheme) {
  PackWriter out(scheme_letter);
  for (const std::string* text : {&scheme.id, &scheme.title, &scheme.version, &scheme.paper, &scheme.summary,
                                  &scheme.formula, &scheme.used_in, &scheme.file, &scheme.file_hash})
    out.text(*text);
  out.number(static_cast<std::uint64_t>(scheme.family));
  out.signed_number(scheme.least_axes), out.signed_number(scheme.most_axes);
  out.flag(scheme.real_positions);
  out.list(scheme.parameters, [&](const Quantity& parameter) { write_quantity(out, parameter); });
  out.list(scheme.linked, [&](const LinkedLibrary& library) { out.text(library.file), out.text(library.hash); });
  return out.finish();
}

SchemeInfo unpack_scheme(std::string_view bytes) {
  PackReader in(bytes, scheme_letter);
  SchemeInfo scheme;
  for (std::string* text : {&scheme.id, &scheme.title, &scheme.version, &scheme.paper, &scheme.summary, &scheme.formula,
                            &scheme.used_in, &scheme.file, &scheme.file_hash})
    *text = in.text();
  scheme.family = in.one_of(Family::contextual);
  scheme.least_axes = in.small_number(), scheme.most_axes = in.small_number();
  scheme.real_positions = in.flag();
  for (auto left = in.count_of_named(); left > 0; --left) read_quantity(in, scheme.parameters.emplace_back());
  for (auto left = in.count_of_named(); left > 0; --left) {
    LinkedLibrary& library = scheme.linked.emplace_back();
    library.file = in.text(), library.hash = in.text();
  }
  in.finish();
  return scheme;
}

std::string pack(const ExperimentInfo& experiment) {
  PackWriter out(experiment_letter);
  out.text(experiment.id), out.text(experiment.version), out.text(experiment.title), out.text(experiment.question);
  out.list(experiment.axes, [&](const AxisInfo& axis) { write_quantity(out, axis), out.flag(axis.inner); });
  out.list(experiment.dimensions, [&](const DimensionInfo& dimension) {
    out.text(dimension.name), out.text(dimension.unit), out.text(dimension.sentence);
    out.texts(dimension.within), out.real(dimension.times);
  });
  out.list(experiment.measures, [&](const MeasureInfo& measure) { write_measure(out, measure); });
  out.flag(experiment.draws_contents);
  if (!experiment.files.empty()) {
    out.extend();
    out.list(experiment.files, [&](const FileInfo& file) { out.text(file.name), out.text(file.sentence); });
  }
  return out.finish();
}

ExperimentInfo unpack_experiment(std::string_view bytes) {
  PackReader in(bytes, experiment_letter, Extension::possible);
  ExperimentInfo experiment;
  experiment.id = in.text(), experiment.version = in.text();
  experiment.title = in.text(), experiment.question = in.text();
  for (auto left = in.count_of_named(); left > 0; --left) {
    AxisInfo& axis = experiment.axes.emplace_back();
    read_quantity(in, axis);
    axis.inner = in.flag();
  }
  for (auto left = in.count_of_named(); left > 0; --left) {
    DimensionInfo& dimension = experiment.dimensions.emplace_back();
    dimension.name = in.text(), dimension.unit = in.text(), dimension.sentence = in.text();
    dimension.within = in.texts(), dimension.times = in.real();
  }
  for (auto left = in.count_of_named(); left > 0; --left) experiment.measures.push_back(read_measure(in));
  experiment.draws_contents = in.flag();
  if (in.is_extended())
    for (auto left = in.count_of_extension(); left > 0; --left) {
      FileInfo& file = experiment.files.emplace_back();
      file.name = in.text(), file.sentence = in.text();
    }
  in.finish();
  return experiment;
}

namespace {

bool is_extended(const Expectation& expectation) {
  return expectation.gate != Gate::within || expectation.repeats != OverRepeats::each || !expectation.minus.empty();
}

}  // namespace

std::string pack(const Expectation& expectation) {
  PackWriter out(expectation_letter);
  out.text(expectation.experiment), out.text(expectation.measure);
  out.values(expectation.where);
  out.real(expectation.value), out.real(expectation.tolerance);
  out.text(expectation.source);
  out.signed_number(expectation.line), out.signed_number(expectation.column);
  if (is_extended(expectation)) {
    out.extend();
    out.number(static_cast<std::uint64_t>(expectation.gate));
    out.number(static_cast<std::uint64_t>(expectation.repeats));
    out.values(expectation.minus);
  }
  return out.finish();
}

Expectation unpack_expectation(std::string_view bytes) {
  PackReader in(bytes, expectation_letter, Extension::possible);
  Expectation expectation;
  expectation.experiment = in.text(), expectation.measure = in.text();
  expectation.where = in.values();
  expectation.value = in.real(), expectation.tolerance = in.real();
  expectation.source = in.text();
  expectation.line = in.small_number(), expectation.column = in.small_number();
  if (in.is_extended()) {
    expectation.gate = in.one_of(Gate::at_most), expectation.repeats = in.one_of(OverRepeats::mean);
    expectation.minus = in.values();
    if (!is_extended(expectation)) throw NotPacked(NotPacked::Problem::out_of_range);
  }
  in.finish();
  return expectation;
}

std::string pack(const Values& values) {
  PackWriter out(values_letter);
  out.values(values);
  return out.finish();
}

Values unpack_values(std::string_view bytes) {
  PackReader in(bytes, values_letter);
  Values values = in.values();
  in.finish();
  return values;
}

}  // namespace poslab::data
