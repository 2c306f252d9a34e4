// SPDX-License-Identifier: Apache-2.0
#include "read/stored_index.hpp"

#include "h5/bounds.hpp"
#include "poslab/data/outcome.hpp"

namespace poslab::results {

StoredIndex::StoredIndex(const std::string& path_)
    : path(path_),
      file(open_results(path)),
      ids(texts(file, "id")),
      experiments(texts(file, "experiment")),
      status(numbers(file, "status")),
      row(numbers(file, "row")) {
  for (const std::size_t size : {experiments.size(), status.size(), row.size()})
    if (size != ids.size()) h5::damaged(file, "has an index whose columns differ in length");
  for (std::size_t cell = 0; cell < ids.size(); ++cell) {
    if (!(status[cell] >= 0 && status[cell] <= static_cast<double>(data::Status::skipped)))
      h5::damaged(file, "has a cell without a state");
    if (!(row[cell] >= 0 && row[cell] < 1e15)) h5::damaged(file, "has a cell without a row");
    cell_of[ids[cell]] = cell;
  }
}

}  // namespace poslab::results
