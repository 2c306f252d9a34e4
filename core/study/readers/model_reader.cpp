// SPDX-License-Identifier: Apache-2.0
// [model]: what the schemes are attached to.
#include "readers/readers.hpp"
#include "readers/value_reader.hpp"

namespace poslab::study {

void read_model(TableReader& root, Draft& draft) {
  const std::size_t before = draft.report.count();
  const toml::table* table = root.table("model");
  if (table) {
    TableReader model(*table, location_of(*table), "[model]", draft.report);
    SourceLocation where = model.location();
    for (const data::AxisInfo& axis : model_axes()) {
      const toml::node* node = model.find(axis.name);
      if (!node) continue;
      where = location_of(*node);
      if (const auto value = read_value(*node, axis, draft.report))
        (axis.name == "heads" ? draft.study.heads : draft.study.d_model) = std::get<std::int64_t>(*value);
    }
    const auto refusal = why_not_heads(draft.study.d_model, draft.study.heads);
    if (draft.report.count() == before && refusal) draft.report.add(where, refusal->reason);
    if (const auto placement = read_placement(model, draft.report)) draft.study.placement = *placement;
    model.refuse_others();
  }
  draft.faulty.model = draft.report.count() > before;
}

}  // namespace poslab::study
