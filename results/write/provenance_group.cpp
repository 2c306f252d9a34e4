// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/pack.hpp"
#include "write/groups.hpp"
#include "write/packed_column.hpp"

namespace poslab::results {

void write_provenance(const h5::Handle& file, const Description& description, const std::vector<double>& seconds) {
  Group group(file, "provenance");
  const CountedColumns columns(group, "cell", seconds.size(), "number of the cell, in plan order");
  columns.add("seconds", {{"units", "s"}, {"long_name", "time that the cell took"}, {"_FillValue", nan}},
              [&](std::size_t row) { return seconds[row]; });
  data::Values texts;
  for (const auto& [name, text] : description.provenance.texts) {
    group.text(name, text);
    texts.set(name, text);
  }
  if (description.shard) {
    const CountedColumns record(group, "record", 1, "there is one record");
    write_packed(group, "texts", "record", 1, "the texts of this group, packed",
                 [&](std::size_t) { return data::pack(texts); });
  }
  group.close();
}

}  // namespace poslab::results
