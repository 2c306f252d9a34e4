// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/prepare.hpp"

#include <map>

#include "poslab/data/mixed.hpp"
#include "poslab/study/plan.hpp"

namespace poslab::run {

std::shared_ptr<const Supply> supply_of(const SupplyRequest& request, workers::Backend& backend) {
  const auto supply = std::make_shared<const Supply>(request);
  backend.provide(supply->contents());
  return supply;
}

PlannedStudy plan_study(const std::string& study, const study::Overrides& overrides, const data::Catalogue& catalogue,
                        workers::Backend& backend, const Supply& supply) {
  PlannedStudy planned{study::read_study(study, catalogue, overrides), {}, {}};
  planned.catalogue = study::catalogue_with(catalogue, planned.study);
  const auto forecast = [&](const std::vector<const data::Cell*>& cells) { return backend.forecast(cells); };
  planned.plan = study::make_plan(planned.study, catalogue, forecast, supply);
  planned.plan.families = study::families_of(planned.study, overrides, catalogue);
  return planned;
}

std::vector<data::SchemeInfo> schemes_of(const std::vector<PreparedRun>& runs) {
  std::map<std::string, data::SchemeInfo> schemes;
  for (const PreparedRun& run : runs)
    for (const data::Cell& cell : run.part.plan.cells)
      if (const data::SchemeInfo* scheme = run.catalogue.scheme(cell.variant.scheme))
        for (const data::SchemeInfo& plugin : data::plugins_of(*scheme)) schemes.try_emplace(plugin.id, plugin);
  std::vector<data::SchemeInfo> all;
  for (auto& [id, scheme] : schemes) all.push_back(std::move(scheme));
  return all;
}

}  // namespace poslab::run
