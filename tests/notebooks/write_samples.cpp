// SPDX-License-Identifier: Apache-2.0
// Writes the made-up run of tests/unit/results into a directory, for the tests that read it in Python.
#include <filesystem>
#include <string>

#include "../unit/results/sample.hpp"

#include "poslab/data/outcome.hpp"

using namespace poslab;

namespace {

// The same run with one number, one state and one cell changed.
sample::Run other_run() {
  sample::Run run = sample::make_run();
  const std::size_t cell = run.find("uniqueness", "none", 8);
  data::Record record;
  for (const data::Coordinate& coordinate : run.outcomes[cell].record.coordinates())
    record.coordinate(coordinate.dimension, coordinate.values);
  for (data::Measurement measurement : run.outcomes[cell].record.measurements()) {
    if (measurement.name == "nearest_distance") measurement.values[5] += 0.25;
    record.curve(measurement.name, measurement.dimensions, measurement.values);
  }
  run.outcomes[cell].record = record;
  run.outcomes[cell + 1] = {data::Status::timeout, "took too long", {}, 0};
  run.cells.erase(run.cells.begin());
  run.outcomes.erase(run.outcomes.begin());
  return run;
}

sample::Run empty_run() {
  sample::Run run = sample::make_run();
  run.cells.clear();
  run.outcomes.clear();
  run.expectations.clear();
  run.description.complete = false;
  return run;
}

}  // namespace

int main(int, char** arguments) {
  const std::string directory = arguments[1];
  std::filesystem::create_directories(directory);
  sample::make_run().write(directory + "/sample.h5");
  sample::make_run(20000).write(directory + "/long.h5");
  other_run().write(directory + "/other.h5");
  empty_run().write(directory + "/empty.h5");
  sample::make_grid_run().write(directory + "/grid.h5");
}
