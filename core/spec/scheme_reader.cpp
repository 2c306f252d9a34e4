// SPDX-License-Identifier: Apache-2.0
// [[scheme]]: a scheme, the parameters that a study fixes, those that it varies.
#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "readers.hpp"
#include "value_reader.hpp"

namespace poslab::spec {
namespace {

// Reads `set`: one value for each parameter that it names.
base::Values read_set(TableReader& reader, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken) {
  base::Values set;
  const toml::table* table = reader.table("set");
  if (!table) return set;
  for (const Entry& entry : in_file_order(*table)) {
    const base::AxisInfo* parameter = vocabulary.find(entry.name);
    taken.insert({entry.name, {entry.place, "set"}});
    const bool several =
        parameter && parameter->kind != base::Kind::list && (entry.node->is_array() || entry.node->is_table());
    if (!parameter) {
      reader.report().add(entry.place, vocabulary.unknown(entry.name));
    } else if (several) {
      reader.report().add(place_of(*entry.node),
                          fmt::format("\"{}\" in set is one value; several values belong into axes", entry.name));
    } else if (auto value = read_value(*entry.node, *parameter, reader.report())) {
      set.set(entry.name, std::move(*value));
    }
  }
  return set;
}

base::Values in_declared_order(const base::Values& set, const Vocabulary& vocabulary) {
  base::Values sorted;
  for (const base::AxisInfo& axis : vocabulary.axes)
    if (const base::Value* value = set.find(axis.name)) sorted.set(axis.name, *value);
  return sorted;
}

}  // namespace

bool must_be_given(const base::AxisInfo& axis) {
  return std::holds_alternative<std::monostate>(axis.default_value) && !axis.may_be_unset;
}

std::string no_such_scheme(const std::string& id, const base::Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const base::SchemeInfo& scheme : catalogue.schemes) known.push_back(scheme.id);
  std::string advice = base::did_you_mean(id, known);
  if (known.empty()) advice = "; no plugin was found at all";
  if (advice.empty()) advice = fmt::format("; there are {}", base::enumerate(known));
  return fmt::format("no plugin offers a scheme called {}{}", shown(id), advice);
}

void read_scheme(const toml::table& table, Draft& draft) {
  const std::size_t before = draft.report.count();
  TableReader reader(table, place_of(table), "[[scheme]]", draft.report);
  const auto id = reader.required_text("use");
  const base::SchemeInfo* info = id ? draft.catalogue.scheme(*id) : nullptr;
  if (id && !info) draft.report.add(place_of(*table.get("use")), no_such_scheme(*id, draft.catalogue));
  for (const char* key : {"set", "axes", "zip"}) reader.find(key);
  SchemeUse use{id.value_or(""), {}, {}, {}, reader.place(), read_placement(reader, draft.report)};
  std::vector<std::string> names;
  if (info) {
    const Vocabulary vocabulary = vocabulary_of(*info);
    std::map<std::string, Taken> taken;
    use.set = in_declared_order(read_set(reader, vocabulary, taken), vocabulary);
    Axes axes = read_axes(reader, vocabulary, taken);
    use.axes = std::move(axes.axes), use.zips = std::move(axes.zips);
    names = vocabulary.names();
    for (const base::AxisInfo& parameter : vocabulary.axes)
      if (must_be_given(parameter) && !taken.count(parameter.name))
        draft.report.add(use.place,
                         fmt::format("{} needs a value for \"{}\": give it in set or axes", use.id, parameter.name));
  }
  reader.refuse_others(names, "set or axes");
  if (draft.report.count() > before) {
    draft.unsure.schemes.insert(use.id);
  } else {
    draft.study.schemes.push_back(std::move(use));
  }
}

}  // namespace poslab::spec
