// SPDX-License-Identifier: Apache-2.0
// A study, from its text to the last check.
#include "poslab/study/study.hpp"

#include <fmt/format.h>

#include "checks.hpp"
#include "readers/readers.hpp"
#include "readers/source_text.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

void read_format(TableReader& root, Report& report) {
  const toml::node* node = root.find("format");
  if (!node) {
    report.add(root.location(), "the study needs \"format\": write format = 1");
  } else if (!node->is_integer()) {
    report.add(location_of(*node), fmt::format("\"format\" is {}, but must be the integer 1", kind_of(*node)));
  } else if (const auto format = *node->value<std::int64_t>(); format != 1) {
    report.add(location_of(*node), fmt::format("\"format\" is {}, but this poslab reads format 1 only", format));
  }
}

void read_seed(TableReader& root, Draft& draft) {
  const toml::node* node = root.find("seed");
  if (!node) return;
  const data::Quantity seed{.name = "seed", .kind = data::Kind::integer, .range = {.lowest = 0}};
  if (const auto value = read_value(*node, seed, draft.report))
    draft.study.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(*value));
}

// Reads the tables of [[key]] with `read_one`; at least one is needed where `needed`.
void read_tables(TableReader& root, const char* key, bool needed, Draft& draft,
                 void (*read_one)(const toml::table&, Draft&)) {
  const std::size_t before = draft.report.count();
  const auto tables = root.tables(key);
  for (const toml::table* table : tables) read_one(*table, draft);
  if (needed && tables.empty() && draft.report.count() == before)
    draft.report.add(root.location(), fmt::format("the study needs at least one [[{}]]", key));
}

void read_parts(const toml::table& table, Draft& draft) {
  TableReader root(table, {1, 1}, "the study", draft.report);
  read_format(root, draft.report);
  draft.study.title = root.required_text("title").value_or("");
  read_seed(root, draft);
  read_model(root, draft);
  read_tables(root, "scheme", true, draft, read_scheme);
  read_tables(root, "experiment", true, draft, read_experiment);
  read_tables(root, "expect", false, draft, read_expectation);
  read_tables(root, "out_of_reach", false, draft, read_out_of_reach);
  root.refuse_others();
}

bool is_complete(const Draft& draft) {
  return draft.faulty.schemes.empty() && draft.faulty.experiments.empty() && !draft.study.schemes.empty() &&
         !draft.study.experiments.empty();
}

}  // namespace

Study parse_study(const std::string& text, const std::string& path, const data::Catalogue& catalogue,
                  const Overrides& overrides) {
  const toml::table table = parse_toml(text, path);
  Report report(path);
  Draft draft{catalogue, report, {}, {}};
  draft.study.path = path;
  draft.study.text = text;
  read_parts(table, draft);
  refuse_equal_variants(draft);
  refuse_equal_labels(draft);
  refuse_unmatched_expectations(draft);
  if (report.count() == 0) apply_overrides(overrides, draft);
  if (is_complete(draft)) refuse_huge_studies(draft);
  report.throw_if_any();
  return std::move(draft.study);
}

std::vector<std::string> names_of_files_in(const std::string& study) try {
  std::error_code problem;
  if (!is_given_open(study) && !std::filesystem::is_regular_file(study, problem)) return {};
  const toml::table table = parse_toml(read_source(study), study);
  std::vector<std::string> files;
  const auto add = [&](const toml::node* use) {
    const auto name = use ? use->value_exact<std::string>() : std::nullopt;
    if (name && is_file(*name)) files.push_back(*name);
  };
  const auto add_table = [&](const toml::node& node) {
    if (const toml::table* one = node.as_table()) add(one->get("use"));
  };
  const toml::array* schemes = table.get_as<toml::array>("scheme");
  for (std::size_t i = 0; schemes && i < schemes->size(); ++i) {
    add_table((*schemes)[i]);
    const toml::table* scheme = (*schemes)[i].as_table();
    const toml::array* layers = scheme ? scheme->get_as<toml::array>("layers") : nullptr;
    for (std::size_t j = 0; layers && j < layers->size(); ++j) {
      add(&(*layers)[j]);
      add_table((*layers)[j]);
    }
  }
  return files;
} catch (const base::Error&) {
  return {};
}

std::vector<std::filesystem::path> files_used_in(const std::string& study) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names_of_files_in(study)) files.push_back(file_of(name, study));
  return files;
}

Study read_study(const std::string& path, const data::Catalogue& catalogue, const Overrides& overrides) {
  return parse_study(read_source(path), path, catalogue, overrides);
}

}  // namespace poslab::study
