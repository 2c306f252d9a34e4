// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/table.hpp"
#include "catch.hpp"
#include "h5/attribute.hpp"
#include "h5/dimension_names.hpp"
#include "poslab/base/error.hpp"
#include "read/results_file.hpp"
#include "sample.hpp"

using namespace poslab;

TEST_CASE("a table is arrays with coordinates at the root of a file") {
  const sample::Directory directory;
  const std::vector<results::NamedCoordinate> coordinates{{"position", "position", {0, 1, 2}},
                                                          {"channel", "1", {0, 1}}};
  const std::vector<results::NamedArray> arrays{
      {"encoding_table", "1", "the vectors", {"position", "channel"}, {3, 2}, {1, 2, 3, 4, 5, 6}},
      {"norm", "1", "their norms", {"position"}, {3}, {7, 8, 9}}};
  results::write_table(directory / "t.h5", "sinusoidal", {{"scheme", "sinusoidal"}}, coordinates, arrays);
  const results::h5::Handle file = results::h5::open_file(directory / "t.h5");
  CHECK(results::h5::links(file) == std::vector<std::string>{"position", "channel", "encoding_table", "norm"});
  CHECK(results::h5::text_attribute(file, "title") == "sinusoidal");
  CHECK(results::h5::text_attribute(file, "scheme") == "sinusoidal");
  const results::h5::Handle table = results::h5::open_dataset(file, "encoding_table");
  CHECK(results::h5::read_numbers(table) == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(results::h5::dimension_names(table, results::h5::scale_names(file)) ==
        std::vector<std::string>{"position", "channel"});
  CHECK(results::h5::text_attribute(table, "long_name") == "encoding table");
  CHECK(results::h5::text_attribute(table, "description") == "the vectors");
  const results::h5::Handle position = results::h5::open_dataset(file, "position");
  CHECK(results::h5::text_attribute(position, "units") == "1");
  CHECK(results::h5::text_attribute(position, "unit_name") == "position");
}

TEST_CASE("a table that contradicts itself is refused and leaves nothing") {
  const sample::Directory directory;
  const std::vector<results::NamedCoordinate> coordinates{{"position", "position", {0, 1, 2}}};
  const auto write = [&](const results::NamedArray& array) {
    results::write_table(directory / "t.h5", "t", {}, coordinates, {array});
  };
  CHECK_THROWS_WITH(write({"x", "1", "", {"position"}, {4}, {1, 2, 3, 4}}),
                    check::contains("4 values along \"position\"") && check::contains("3 coordinates"));
  CHECK_THROWS_WITH(write({"x", "1", "", {"channel"}, {3}, {1, 2, 3}}), check::contains("no coordinates"));
  CHECK_THROWS_WITH(write({"x", "1", "", {"position"}, {3}, {1, 2}}),
                    check::contains("\"x\" has 2 values, but its dimensions hold 3"));
  CHECK_THROWS_WITH(write({"encoding", "1", "", {"position"}, {3}, {1, 2, 3}}), check::contains("encoding"));
  CHECK_THROWS_WITH(write({"two words", "1", "", {"position"}, {3}, {1, 2, 3}}), check::contains("cannot be a name"));
  CHECK(directory.entries().empty());
}
