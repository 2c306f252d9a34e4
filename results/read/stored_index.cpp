// SPDX-License-Identifier: Apache-2.0
#include "read/stored_index.hpp"

#include "h5/bounds.hpp"

namespace poslab::results {

StoredIndex::StoredIndex(const std::string& path_)
    : path(path_),
      file(open_results(path)),
      ids(texts(file, "id")),
      experiments(texts(file, "experiment")),
      status(numbers(file, "status")),
      row(numbers(file, "row")) {
  const std::vector<double> states = numbers(file, "weights_state");
  for (const std::size_t size : {experiments.size(), status.size(), row.size(), states.size()})
    if (size != ids.size()) h5::damaged(file, "has an index whose columns differ in length");
  for (std::size_t cell = 0; cell < ids.size(); ++cell) {
    if (!(status[cell] >= 0 && status[cell] <= static_cast<double>(data::Status::skipped)))
      h5::damaged(file, "has a cell without a state");
    if (!(row[cell] >= 0 && row[cell] < 1e15)) h5::damaged(file, "has a cell without a row");
    if (!(states[cell] >= 0 && states[cell] <= static_cast<double>(data::WeightsState::given)))
      h5::damaged(file, "has an unknown state of weights");
    weights.push_back(static_cast<data::WeightsState>(states[cell]));
    cell_of[ids[cell]] = cell;
  }
}

}  // namespace poslab::results
