// SPDX-License-Identifier: Apache-2.0
#include "write/groups.hpp"

namespace poslab::results {

void write_provenance(const h5::Handle& file, const Description& description, const std::vector<double>& seconds) {
  Group group(file, "provenance");
  const CountedColumns columns(group, "cell", seconds.size(), "number of the cell, in plan order");
  columns.add("seconds", {{"units", "s"}, {"long_name", "time that the cell took"}, {"_FillValue", nan}},
              [&](std::size_t row) { return seconds[row]; });
  for (const auto& [name, text] : description.provenance.texts) group.text(name, text);
  group.close();
}

}  // namespace poslab::results
