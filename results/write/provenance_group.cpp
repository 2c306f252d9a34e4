// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "poslab/base/find_by.hpp"
#include "poslab/base/json.hpp"
#include "poslab/data/kept_array.hpp"
#include "poslab/data/plugin_check.hpp"
#include "write/groups.hpp"

namespace poslab::results {
namespace {

std::string text_in(const Provenance& provenance, const char* name) {
  const auto* text = base::find_by(provenance.texts, &std::pair<std::string, std::string>::first, name);
  return text ? text->second : "";
}

SchemesOfVariants schemes_of_variants(const std::vector<Row>& rows) {
  SchemesOfVariants schemes;
  for (const Row& row : rows) schemes[row.cell->variant.label] = data::schemes_of(row.cell->variant);
  return schemes;
}

}  // namespace

void write_notes(Group& provenance, const SchemesOfVariants& schemes, const std::string& plugin_checks,
                 const std::string& supply) {
  base::Json doubts = base::Json::object(), weights = base::Json::array();
  const data::PluginChecks checks = data::plugin_checks_of(plugin_checks);
  for (const auto& [variant, ids] : schemes)
    for (const std::string& scheme : ids)
      if (const auto doubt = data::doubt_of(scheme, checks)) doubts[variant] = *doubt;
  for (const data::WeightsFile& file : data::weights_files_of(supply)) weights.push_back("weights from " + file.text());
  if (!doubts.empty()) provenance.text("doubts", base::json_text(doubts));
  if (!weights.empty()) provenance.text("weights_from", base::json_text(weights));
}

void write_provenance(const h5::Handle& file, const Description& description, const std::vector<Row>& rows,
                      const FirstPass& pass) {
  Group group(file, "provenance");
  const CountedColumns columns(group, run_cell, pass.status.size());
  const data::Outcome none;
  data::for_each_fact(none, [&](const char* name, const char* unit, const char* sentence, double) {
    columns.add(name, {{"units", unit}, {"long_name", sentence}, {"_FillValue", nan}},
                [&](std::size_t row) { return pass.facts.at(name)[row]; });
  });
  for (const auto& [name, text] : description.provenance.texts) group.text(name, text);
  write_notes(group, schemes_of_variants(rows), text_in(description.provenance, "plugin_checks"),
              text_in(description.provenance, "supply"));
  group.close();
}

}  // namespace poslab::results
