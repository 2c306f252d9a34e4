// SPDX-License-Identifier: Apache-2.0
// [[scheme]]: a scheme, the parameters that a study fixes, those that it varies.
#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

data::Values in_declared_order(const data::Values& set, const Vocabulary& vocabulary) {
  data::Values sorted;
  for (const data::AxisInfo& axis : vocabulary.axes)
    if (const data::Value* value = set.find(axis.name)) sorted.set(axis.name, *value);
  return sorted;
}

constexpr std::size_t max_label_bytes = 40;  // bytes: it heads a row of a table that fits 80 columns

}  // namespace

data::Values read_set(TableReader& reader, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken) {
  data::Values set;
  const toml::table* table = reader.table("set");
  if (!table) return set;
  for (const Entry& entry : in_file_order(*table)) {
    const data::AxisInfo* parameter = vocabulary.find(entry.name);
    taken.insert({entry.name, {entry.location, "set"}});
    const bool several =
        parameter && parameter->kind != data::Kind::list && (entry.node->is_array() || entry.node->is_table());
    if (!parameter) {
      reader.report().add(entry.location, vocabulary.unknown(entry.name));
    } else if (several) {
      reader.report().add(location_of(*entry.node),
                          fmt::format("\"{}\" in set is one value; several values belong in axes", entry.name));
    } else if (auto value = read_value(*entry.node, *parameter, reader.report())) {
      set.set(entry.name, std::move(*value));
    }
  }
  return in_declared_order(set, vocabulary);
}

std::string read_label(TableReader& reader, const std::string& id, const data::Catalogue& catalogue) {
  const toml::node* node = reader.find("label");
  const std::string label = reader.text("label").value_or("");
  std::string problem;
  if (label.size() > max_label_bytes)
    problem = fmt::format("has {} bytes; a label has at most {}", label.size(), max_label_bytes);
  else if (label.find_first_of("\n\r\t") != std::string::npos || label.starts_with(' ') || label.ends_with(' '))
    problem = "holds a line break or a tab, or has a blank at its ends; a label is one line of words";
  else if (const data::SchemeInfo* other = catalogue.scheme(label); other && !id.empty() && other->id != id)
    problem = fmt::format("is the name of another scheme than {}; choose a label that is none", id);
  if (problem.empty()) return label;
  reader.report().add(location_of(*node), fmt::format("\"label\" is {}, which {}", shown(label), problem));
  return "";
}

void require_parameters(const Vocabulary& vocabulary, const std::map<std::string, Taken>& taken, const char* where,
                        SourceLocation location, Report& report) {
  for (const data::AxisInfo& parameter : vocabulary.axes)
    if (must_be_given(parameter) && !taken.count(parameter.name))
      report.add(location,
                 fmt::format("{} needs a value for \"{}\": give it in {}", vocabulary.owner, parameter.name, where));
}

bool must_be_given(const data::AxisInfo& axis) {
  return std::holds_alternative<std::monostate>(axis.default_value) && !axis.may_be_unset;
}

bool is_file(const std::string& use) { return use.ends_with(".py"); }

std::filesystem::path file_of(const std::string& use, const std::string& study) {
  return std::filesystem::absolute(std::filesystem::path(study).parent_path() / use).lexically_normal();
}

std::string id_of(const std::string& use, const Draft& draft) {
  if (!is_file(use)) return use;
  const std::string file = file_of(use, draft.study.path).string();
  for (const data::SchemeInfo& scheme : draft.catalogue.schemes)
    if (scheme.file == file) return scheme.id;
  return use;
}

const data::SchemeInfo* plugin_of(const std::string& id, const data::Catalogue& catalogue) {
  const data::SchemeInfo* info = catalogue.scheme(id);
  return info && info->parts.empty() ? info : nullptr;
}

std::string no_such_scheme(const std::string& id, const data::Catalogue& catalogue) {
  if (is_file(id))
    return fmt::format("{} offers no scheme: no such file beside the study, or it was passed over, as is said above",
                       shown(id));
  std::vector<std::string> known;
  for (const data::SchemeInfo& scheme : catalogue.schemes)
    if (scheme.parts.empty()) known.push_back(scheme.id);
  std::string advice = base::did_you_mean(id, known);
  constexpr std::size_t most = 8;  // names in a sentence
  if (known.empty()) advice = "; no plugin was found at all";
  if (advice.empty() && known.size() <= most) advice = fmt::format("; there are {}", base::enumerate(known));
  if (advice.empty()) advice = fmt::format("; poslab list names the {} that there are", known.size());
  return fmt::format("no plugin offers a scheme called {}; {}{}", shown(id), data::if_it_is_yours, advice);
}

void read_scheme(const toml::table& table, Draft& draft) {
  if (table.contains("layers")) return read_mixed_scheme(table, draft);
  const std::size_t before = draft.report.count();
  TableReader reader(table, location_of(table), "[[scheme]]", draft.report);
  auto id = reader.required_text("use");
  if (id) id = id_of(*id, draft);
  const data::SchemeInfo* info = id ? plugin_of(*id, draft.catalogue) : nullptr;
  if (id && !info) draft.report.add(location_of(*table.get("use")), no_such_scheme(*id, draft.catalogue));
  std::string label = read_label(reader, info ? info->id : "", draft.catalogue);
  for (const char* key : {"set", "axes", "zip"}) reader.find(key);
  SchemeUse use{id.value_or(""), {}, {}, {}, reader.location(), read_placement(reader, draft.report), std::move(label)};
  std::vector<std::string> names;
  if (info) {
    const Vocabulary vocabulary = vocabulary_of(*info);
    std::map<std::string, Taken> taken;
    use.set = read_set(reader, vocabulary, taken);
    Axes axes = read_axes(reader, vocabulary, taken);
    use.axes = std::move(axes.axes), use.zips = std::move(axes.zips);
    names = vocabulary.names();
    require_parameters(vocabulary, taken, "set or axes", use.location, draft.report);
  }
  reader.refuse_others(names, "set or axes");
  if (draft.report.count() > before) {
    draft.faulty.schemes.insert(use.id);
  } else {
    draft.study.schemes.push_back(std::move(use));
  }
}

}  // namespace poslab::study
