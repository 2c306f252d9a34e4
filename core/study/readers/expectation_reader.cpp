// SPDX-License-Identifier: Apache-2.0
// [[expect]]: a value that a measure should have, where, how exactly, and says who.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"
#include "poslab/data/expectation.hpp"
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

// The axes of all grids of the study: a grid of three has those of a grid of two.
std::vector<std::string> axis_names_of(const Study& study) {
  std::vector<std::string> names = study.placement.axis_names();
  for (const SchemeUse& use : study.schemes)
    if (use.placement && use.placement->axis_names().size() > names.size()) names = use.placement->axis_names();
  return names;
}

/// Reads the entries of one `where`, or of a `minus` on top of it.
class WhereReader {
 public:
  WhereReader(const data::ExperimentInfo& experiment, const data::MeasureInfo* measure, const Draft& draft)
      : vocabulary_(vocabulary_of(experiment)),
        measure_(measure),
        axis_names_(axis_names_of(draft.study)),
        catalogue_(draft.catalogue),
        report_(draft.report) {}

  data::Values read(const toml::table& where) {
    read_scheme(where);
    data::Values values;
    read_entries(where, values);
    return values;
  }

  /// `where`, which was read already, with the entries of `minus` in place of its own. Another scheme in it takes none
  /// of the first one's parameters over.
  data::Values read_on_top(const toml::table& minus, const data::Values& where) {
    const bool other_scheme = minus.contains("scheme");
    if (other_scheme) read_scheme(minus);
    data::Values values;
    for (const auto& [name, value] : where)
      if (!other_scheme || vocabulary_.find(name) || is_dimension(name)) values.set(name, value);
    read_entries(minus, values);
    return values;
  }

  Report& report() const { return report_; }

 private:
  void read_entries(const toml::table& table, data::Values& values) {
    for (const Entry& entry : in_file_order(table)) {
      const auto quantity = meaning_of(entry);
      if (!quantity) continue;
      if (auto value = read_value(*entry.node, *quantity, report_)) values.set(entry.name, std::move(*value));
    }
  }

  void read_scheme(const toml::table& where) {
    const toml::node* node = where.get("scheme");
    const auto id = node ? node->value_exact<std::string>() : std::nullopt;
    scheme_ = id ? catalogue_.scheme(*id) : nullptr;
    scheme_is_wrong_ = node && !scheme_;
    if (id && !scheme_) report_.add(location_of(*node), no_such_scheme(*id, catalogue_));
    if (node && !id)
      report_.add(location_of(*node), fmt::format("\"scheme\" is {}, but must be a text", kind_of(*node)));
  }

  // The dimensions of the measure, and on a grid the row and column (and frame) along each.
  std::vector<std::string> dimensions() const {
    std::vector<std::string> names = measure_->dimensions;
    for (const std::string& dimension : measure_->dimensions)
      for (const std::string& axis : axis_names_) names.push_back(fmt::format("{}_{}", dimension, axis));
    return names;
  }

  bool is_dimension(const std::string& name) const {
    if (!measure_) return false;
    const std::vector<std::string> names = dimensions();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  // What an entry must be; nullopt after its mistake was reported.
  std::optional<data::Quantity> meaning_of(const Entry& entry) {
    const data::AxisInfo* axis = vocabulary_.find(entry.name);
    const data::Quantity* parameter = scheme_ ? scheme_->parameter(entry.name) : nullptr;
    if (entry.name == "scheme") return scheme_is_wrong_ ? std::nullopt : std::optional(scheme_id());
    if (axis && !axis->inner) return *axis;
    const bool dimension = measure_ && is_dimension(entry.name);
    if (axis && measure_ && !dimension) {
      report_.add(entry.location, fmt::format("\"{}\" is not a dimension of {}", entry.name, measure_->name));
    } else if (axis || (dimension && !parameter)) {
      return data::Quantity{.name = entry.name};
    } else if (dimension) {
      report_.add(entry.location, fmt::format("\"{}\" is both a dimension of {} and a parameter of {}", entry.name,
                                              measure_->name, scheme_->id));
    } else if (parameter) {
      return *parameter;
    } else if (measure_ && !scheme_is_wrong_) {  // else it may follow from another mistake
      report_unknown(entry);
    }
    return std::nullopt;
  }

  data::Quantity scheme_id() const { return {.name = "scheme", .kind = data::Kind::choice, .choices = {scheme_->id}}; }

  void report_unknown(const Entry& entry) {
    for (const data::SchemeInfo& scheme : catalogue_.schemes) {
      if (scheme_ || !scheme.parameter(entry.name)) continue;
      report_.add(entry.location, fmt::format("\"{}\" is a parameter of schemes: say of which, as in scheme = \"{}\"",
                                              entry.name, scheme.id));
      return;
    }
    std::vector<std::string> known = vocabulary_.names();
    known.push_back("scheme");
    for (const std::string& name : dimensions()) known.push_back(name);
    if (scheme_)
      for (const data::Quantity& parameter : scheme_->parameters) known.push_back(parameter.name);
    const std::string owner = scheme_ ? fmt::format(", nor a parameter of {}", scheme_->id) : "";
    report_.add(entry.location,
                fmt::format("{} is neither an axis of {} nor a dimension of {}{}{}", shown(entry.name),
                            vocabulary_.owner, measure_->name, owner, base::did_you_mean(entry.name, known)));
  }

  Vocabulary vocabulary_;
  const data::MeasureInfo* measure_;
  const std::vector<std::string> axis_names_;  // of a grid
  const data::Catalogue& catalogue_;
  Report& report_;
  const data::SchemeInfo* scheme_ = nullptr;
  bool scheme_is_wrong_ = false;
};

const data::MeasureInfo* find_measure(const std::string& name, SourceLocation location,
                                      const data::ExperimentInfo& experiment, Report& report) {
  const data::MeasureInfo* measure = experiment.measure(name);
  if (measure) return measure;
  std::vector<std::string> known;
  for (const data::MeasureInfo& each : experiment.measures) known.push_back(each.name);
  std::string advice = base::did_you_mean(name, known);
  if (advice.empty()) advice = fmt::format("; it measures {}", base::enumerate(known));
  report.add(location, fmt::format("{} is not a measure of {}{}", shown(name), experiment.id, advice));
  return nullptr;
}

void read_number(TableReader& reader, const std::string& key, data::Range range, double& out) {
  const toml::node* node = reader.require(key);
  if (!node) return;
  if (const auto value = read_value(*node, {.name = key, .range = range}, reader.report()))
    out = data::number(*value, key);
}

// Either a value and how far off it may be, or a bound.
void read_gate(TableReader& reader, data::Expectation& expectation) {
  const toml::node *least = reader.find("at_least"), *most = reader.find("at_most");
  if (!least && !most) {
    read_number(reader, "value", {}, expectation.value);
    read_number(reader, "tolerance", {.lowest = 0}, expectation.tolerance);
    return;
  }
  const char* bound = least ? "at_least" : "at_most";
  for (const char* other : {"value", "tolerance", "at_most"})
    if (const toml::node* node = reader.find(other); node && other != std::string_view(bound))
      reader.report().add(
          location_of(*node),
          fmt::format("[[expect]] has \"{}\" and \"{}\", but takes value and tolerance, or at_least, or "
                      "at_most",
                      bound, other));
  expectation.gate = least ? data::Gate::at_least : data::Gate::at_most;
  read_number(reader, bound, {}, expectation.value);
}

void read_repeats(TableReader& reader, data::Expectation& expectation) {
  const toml::node* node = reader.find("repeats");
  if (!node) return;
  const data::Quantity quantity{.name = "repeats",
                                .kind = data::Kind::choice,
                                .choices = {to_text(data::OverRepeats::each), to_text(data::OverRepeats::mean)}};
  if (const auto value = read_value(*node, quantity, reader.report()))
    if (std::get<std::string>(*value) == to_text(data::OverRepeats::mean))
      expectation.repeats = data::OverRepeats::mean;
}

void read_cells(WhereReader& cells, const toml::table* where, const toml::table* minus,
                data::Expectation& expectation) {
  Report& report = cells.report();
  const std::size_t before = report.count();
  if (where) expectation.where = cells.read(*where);
  if (!minus || report.count() > before) return;
  expectation.minus = cells.read_on_top(*minus, expectation.where);
  if (report.count() == before && expectation.minus == expectation.where)
    report.add(location_of(*minus), "\"minus\" names the same values as \"where\": their difference is always 0");
}

}  // namespace

void read_out_of_reach(const toml::table& table, Draft& draft) {
  TableReader reader(table, location_of(table), "[[out_of_reach]]", draft.report);
  const auto what = reader.required_text("what"), published = reader.required_text("published"),
             reason = reader.required_text("reason");
  reader.refuse_others();
  if (what && published && reason) draft.study.out_of_reach.push_back({*what, *published, *reason});
}

void read_expectation(const toml::table& table, Draft& draft) {
  const std::size_t before = draft.report.count();
  TableReader reader(table, location_of(table), "[[expect]]", draft.report);
  data::Expectation expectation;
  const auto id = reader.required_text("experiment");
  const data::ExperimentInfo* info = id ? draft.catalogue.experiment(*id) : nullptr;
  if (id && !info) draft.report.add(location_of(*table.get("experiment")), no_such_experiment(*id, draft.catalogue));
  const auto measure_name = reader.required_text("measure");
  const data::MeasureInfo* measure = nullptr;
  if (info && measure_name)
    measure = find_measure(*measure_name, location_of(*table.get("measure")), *info, draft.report);
  const toml::table *where = reader.table("where"), *minus = reader.table("minus");
  if (info) {
    WhereReader cells(*info, measure, draft);
    read_cells(cells, where, minus, expectation);
  }
  read_gate(reader, expectation);
  read_repeats(reader, expectation);
  expectation.source = reader.text("source").value_or("");
  reader.refuse_others();
  if (draft.report.count() > before) return;
  expectation.experiment = *id, expectation.measure = *measure_name;
  expectation.line = reader.location().line, expectation.column = reader.location().column;
  draft.study.expectations.push_back(std::move(expectation));
}

}  // namespace poslab::study
