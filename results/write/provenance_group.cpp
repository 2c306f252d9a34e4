// SPDX-License-Identifier: Apache-2.0
#include "write/provenance_group.hpp"

#include <numeric>

#include "poslab/data/pack.hpp"
#include "write/write_packed.hpp"

namespace poslab::results {

void write_provenance(const h5::Handle& file, const Provenance& provenance, const std::vector<double>& seconds,
                      bool also_packed) {
  Group group(file, "provenance");
  std::vector<std::int64_t> numbers(seconds.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  group.dimension("cell", numbers, {{"units", "1"}, {"long_name", "number of the cell, in plan order"}});
  group.variable("seconds", {"cell"}, seconds,
                 {{"units", "s"}, {"long_name", "time that the cell took"}, {"_FillValue", nan}});
  for (const auto& [name, text] : provenance.texts) group.text(name, text);
  if (also_packed) {
    data::Values texts;
    for (const auto& [name, text] : provenance.texts) texts.set(name, text);
    group.dimension("record", std::vector<std::int64_t>{0}, {{"units", "1"}, {"long_name", "there is one record"}});
    write_packed(group, "texts", "record", 1, "the texts of this group, packed",
                 [&](std::size_t) { return data::pack(texts); });
  }
  group.close();
}

}  // namespace poslab::results
