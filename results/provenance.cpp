// SPDX-License-Identifier: Apache-2.0
#include "provenance.hpp"

#include <limits>
#include <numeric>

namespace poslab::results {

void write_provenance(const h5::Handle& file, const Provenance& provenance, const std::vector<double>& seconds) {
  Group group(file, "provenance");
  std::vector<std::int64_t> numbers(seconds.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  group.dimension("cell", numbers, {{"units", "1"}, {"long_name", "number of the cell, in plan order"}});
  group.variable("seconds", {"cell"}, seconds,
                 {{"units", "s"},
                  {"long_name", "time that the cell took"},
                  {"_FillValue", std::numeric_limits<double>::quiet_NaN()}});
  for (const auto& [name, text] : provenance.texts) group.text(name, text);
  group.close();
}

}  // namespace poslab::results
