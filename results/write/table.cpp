// SPDX-License-Identifier: Apache-2.0
// Arrays at the root of a file, for `poslab table`.
#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/error.hpp"
#include "poslab/results/table.hpp"
#include "write/group.hpp"
#include "write/pending_file.hpp"

namespace poslab::results {
namespace {

// Checks that every array agrees with the coordinates on the extent of each of its dimensions.
void check_extents(const NamedArray& array, const std::vector<NamedCoordinate>& coordinates) {
  if (array.shape.size() != array.dimensions.size())
    throw base::Error(fmt::format("the array \"{}\" has {} dimensions but a shape of {}", array.name,
                                  array.dimensions.size(), array.shape.size()));
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    const auto same = [&](const NamedCoordinate& coordinate) { return coordinate.dimension == array.dimensions[axis]; };
    const auto found = std::find_if(coordinates.begin(), coordinates.end(), same);
    if (found == coordinates.end())
      throw base::Error(fmt::format("the array \"{}\" has the dimension \"{}\", which has no coordinates", array.name,
                                    array.dimensions[axis]));
    if (found->values.size() != array.shape[axis])
      throw base::Error(fmt::format("the array \"{}\" has {} values along \"{}\", but there are {} coordinates",
                                    array.name, array.shape[axis], array.dimensions[axis], found->values.size()));
  }
}

void write_arrays(Group& root, const std::vector<NamedCoordinate>& coordinates, const std::vector<NamedArray>& arrays) {
  for (const NamedCoordinate& coordinate : coordinates)
    root.dimension(coordinate.dimension, coordinate.values, {{"units", coordinate.unit}});
  for (const NamedArray& array : arrays) {
    check_extents(array, coordinates);
    root.variable(array.name, array.dimensions, array.values,
                  {{"units", array.unit},
                   {"long_name", array.sentence},
                   {"_FillValue", nan},
                   {"coordinates", array.coordinates}});
  }
}

}  // namespace

void write_table(const std::string& path, const std::string& title,
                 const std::vector<std::pair<std::string, std::string>>& attributes,
                 const std::vector<NamedCoordinate>& coordinates, const std::vector<NamedArray>& arrays) {
  const h5::Silence silence;
  PendingFile pending(path);
  try {
    h5::Handle file = h5::create_file(pending.temporary());
    Group root(file);
    root.attribute("Conventions", "CF-1.10");
    root.attribute("title", title);
    for (const auto& [name, text] : attributes) root.attribute(name, text);
    write_arrays(root, coordinates, arrays);
    root.close();
    h5::flush(file);
    file.close();
  } catch (const h5::Error& error) {
    throw base::FileError(path, std::string("the table cannot be written: ") + error.what(),
                          "is there room on that disk?", base::Error::Kind::disk);
  }
  pending.commit();
}

void write_bytes(const std::string& path, const std::string& bytes) {
  PendingFile pending(path);
  pending.write(bytes);
  pending.commit(PendingFile::Seal::none);
}

}  // namespace poslab::results
