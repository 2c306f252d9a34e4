// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/compare.hpp"

#include <hdf5.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/outcome.hpp"
#include "sample.hpp"

using namespace poslab;

namespace {

// Two files of the sample run, the second changed before it is written.
struct Two {
  sample::Directory directory;
  sample::Run first = sample::make_run(), second = sample::make_run();
  results::Comparison exact() { return write(), results::compare_exact(directory / "a.h5", directory / "b.h5"); }
  results::Comparison tolerant() {
    return write(), results::compare_within_tolerance(directory / "a.h5", directory / "b.h5");
  }

 private:
  void write() {
    first.write(directory / "a.h5");
    second.write(directory / "b.h5");
  }
};

// The record with one value of one measure changed by `change`.
data::Record changed(const data::Record& record, const std::string& measure, std::size_t index, double change) {
  data::Record copy;
  for (const data::Coordinate& coordinate : record.coordinates())
    copy.coordinate(coordinate.dimension, coordinate.values);
  for (data::Measurement measurement : record.measurements()) {
    if (measurement.name == measure) measurement.values[index] += change;
    copy.curve(measurement.name, measurement.dimensions, measurement.values);
  }
  return copy;
}

const std::string rope = "rope(style=half-split, base=10000.0)";

}  // namespace

TEST_CASE("two equal runs are equal, whatever their provenance") {
  Two files;
  files.second.description.provenance.texts = {{"study", "other"}, {"cpu", "another machine"}};
  for (data::Outcome& outcome : files.second.outcomes) outcome.seconds += 1;
  const results::Comparison exact = files.exact(), tolerant = files.tolerant();
  CHECK(exact.equal());
  CHECK(exact.compared_cells == 45);
  CHECK(tolerant.equal());
  CHECK(tolerant.compared_cells == 45);
  CHECK(tolerant.compared_values > 0);
  CHECK(tolerant.statistical_values == 15 * 1 * 4 + 14 * 1 * 6);  // share: 15 cells of 2 x 2, 14 of 3 x 2
}

TEST_CASE("the last bit of a curve is a difference, exactly, and none within its tolerance") {
  Two files;
  const std::size_t cell = files.first.find("uniqueness", rope, 8);
  const double value = files.first.outcomes[cell].record.measurement("nearest_distance")->values[5];
  files.second.outcomes[cell].record =
      changed(files.second.outcomes[cell].record, "nearest_distance", 5, std::nextafter(value, 10) - value);
  const results::Comparison exact = files.exact();
  REQUIRE(exact.differences.size() == 1);
  CHECK(exact.differences[0].where == "/uniqueness/nearest_distance[7, 5]");
  CHECK(files.tolerant().equal());
}

TEST_CASE("what is beyond its tolerance is named with cell, coordinates and both values") {
  Two files;
  const std::size_t cell = files.first.find("uniqueness", rope, 8);
  files.second.outcomes[cell].record = changed(files.second.outcomes[cell].record, "nearest_distance", 5, 1e-6);
  const results::Comparison comparison = files.tolerant();
  REQUIRE(comparison.differences.size() == 1);
  CHECK(comparison.differences[0].where ==
        "uniqueness of rope(style=half-split, base=10000.0), d_model 8, heads 2, length 8, kind position, repeat 0, "
        "base 10000, style half-split");
  CHECK_THAT(comparison.differences[0].what, check::starts_with("nearest_distance[position 5] is "));
  CHECK_THAT(comparison.differences[0].what, check::contains("1e-06 apart") && check::contains("1 of 8 values differ"));
  CHECK(comparison.differences[0].experiment == "uniqueness");
  CHECK(comparison.differences[0].measure == "nearest_distance");
  CHECK(comparison.differences[0].values == 1);
  CHECK(comparison.differences[0].excess > 1);
  CHECK(comparison.values_of.at({"uniqueness", "nearest_distance"}) > 8);
  CHECK(comparison.reasons.empty());
}

TEST_CASE("tolerances grow with the largest position and the length of the cell") {
  Two files;
  const std::size_t cell = files.first.find("relative-shift", rope, 8);
  // content_error: 1e-13 + 4e-16 (length - 1 + largest shift) = 1.428e-13; the value itself is about 1
  const bool within = GENERATE(true, false);
  files.second.outcomes[cell].record =
      changed(files.second.outcomes[cell].record, "content_error", 0, within ? 1.35e-13 : 1.5e-13);
  CHECK(files.tolerant().equal() == within);
  // position_spread: 1e-12 length
  Two others;
  others.second.outcomes[cell].record =
      changed(others.second.outcomes[cell].record, "position_spread", 3, within ? 7.5e-12 : 8.5e-12);
  CHECK(others.tolerant().equal() == within);
}

namespace {

// The sample's `uniqueness` with an axis dtype: its cells of length 8 are float32, which has a tolerance of its own.
void in_two_types(sample::Run& run) {
  data::ExperimentInfo& info = run.description.experiments[0];
  info.axes[1].name = "dtype";
  info.measures[2].float32 = data::Tolerance{.absolute = 1e-5};  // nearest_distance
  for (data::Cell& cell : run.cells) {
    if (cell.experiment != "uniqueness") continue;
    data::Values axes;
    for (const auto& [name, value] : cell.axes)
      if (name == "kind")
        axes.set("dtype", std::string(cell.axes.integer("length") == 8 ? "float32" : "float64"));
      else
        axes.set(name, value);
    cell.axes = axes;
  }
}

}  // namespace

TEST_CASE("a cell in float32 is compared with the tolerance of float32, one in float64 is not") {
  Two files;
  in_two_types(files.first), in_two_types(files.second);
  const std::size_t in_float = files.first.find("uniqueness", rope, 8);
  files.second.outcomes[in_float].record = changed(files.second.outcomes[in_float].record, "nearest_distance", 2, 9e-6);
  CHECK(files.tolerant().equal());
  files.second.outcomes[in_float].record = changed(files.second.outcomes[in_float].record, "nearest_distance", 2, 9e-6);
  CHECK_THAT(files.tolerant().differences.at(0).what, check::contains("1e-05 is allowed"));
  Two others;
  in_two_types(others.first), in_two_types(others.second);
  const std::size_t in_double = others.first.find("uniqueness", rope, 4);
  others.second.outcomes[in_double].record =
      changed(others.second.outcomes[in_double].record, "nearest_distance", 2, 9e-6);
  CHECK(others.tolerant().differences.size() == 1);
}

TEST_CASE("a tolerance is in the unit of another measure of the same cell, without it, only what is relative counts") {
  Two files;
  for (sample::Run* run : {&files.first, &files.second}) {
    run->description.experiments[0].measures[2].tolerance = {.absolute = 1e-9};  // nearest_distance
    run->description.experiments[0].measures[2].tolerance_unit = "min_distance";
  }
  const std::size_t cell = files.first.find("uniqueness", rope, 8);
  const double unit = std::abs(files.first.outcomes[cell].record.measurement("min_distance")->values[0]);
  REQUIRE(unit < 0.9999);  // so that 1 would show
  const bool within = GENERATE(true, false);
  files.second.outcomes[cell].record =
      changed(files.second.outcomes[cell].record, "nearest_distance", 5, (within ? 0.99999e-9 : 1.00001e-9) * unit);
  CHECK(files.tolerant().equal() == within);
  for (sample::Run* run : {&files.first, &files.second})
    run->description.experiments[0].measures[2].tolerance_unit = "nothing";
  CHECK_THROWS_WITH(files.tolerant(), check::contains("nothing, which is no scalar measure of uniqueness"));
}

TEST_CASE("statistical measures are held to the bound of their arithmetic, where they have one") {
  Two files;
  const std::size_t cell = files.first.find("relative-shift", rope, 8);
  files.second.outcomes[cell].record = changed(files.second.outcomes[cell].record, "share", 2, 0.5);  // has none
  CHECK(files.tolerant().equal());
  files.second.outcomes[cell].record = changed(files.second.outcomes[cell].record, "sink", 0, 1e-9);
  CHECK(files.tolerant().differences.size() == 1);
}

TEST_CASE("a value against none, and another status, are differences under any tolerance") {
  Two files;
  const std::size_t cell = files.first.find("relative-shift", rope, 8);
  files.second.outcomes[cell].record =
      changed(files.second.outcomes[cell].record, "share", 2, std::numeric_limits<double>::quiet_NaN());
  files.second.outcomes[cell + 1] = {data::Status::timeout, "took too long", {}, 0};
  const results::Comparison comparison = files.tolerant();
  REQUIRE(comparison.differences.size() == 2);
  CHECK(comparison.differences[0].what == "is ok in the first file and timeout in the second");
  CHECK_THAT(comparison.differences[1].what,
             check::contains("share[shift 10, step 1]") && check::contains("one of them is no number"));
}

TEST_CASE("an infinity against a number is a difference under any tolerance, and equal to itself") {
  Two files;
  const std::size_t cell = files.first.find("relative-shift", rope, 8);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const char* measure : {"share", "position_spread"}) {  // statistical without a bound; with one
    files.second.outcomes[cell].record = changed(files.first.outcomes[cell].record, measure, 2, infinity);
    const results::Comparison comparison = files.tolerant();
    REQUIRE(comparison.differences.size() == 1);
    CHECK_THAT(comparison.differences[0].what, check::contains("infinitely far apart"));
  }
  files.first.outcomes[cell].record = files.second.outcomes[cell].record;
  CHECK(files.tolerant().equal());
}

TEST_CASE("cells that only one file has are counted") {
  Two files;
  files.second.cells.erase(files.second.cells.begin() + 2);
  files.second.outcomes.erase(files.second.outcomes.begin() + 2);
  for (std::size_t i = 0; i < 3; ++i) files.first.cells.pop_back(), files.first.outcomes.pop_back();
  const results::Comparison comparison = files.tolerant();
  CHECK(comparison.differences.empty());
  CHECK(comparison.only_in_first == 1);
  CHECK(comparison.only_in_second == 3);
  CHECK(comparison.compared_cells == 41);
  CHECK_FALSE(comparison.equal());
  CHECK_FALSE(files.exact().equal());
}

TEST_CASE("exactly means names, order, types, attributes and messages too") {
  Two files;
  std::string where;
  SECTION("a sentence") {
    files.second.description.experiments[0].measures[0].sentence = "something else";
    where = "/uniqueness/min_distance@description";
  }
  SECTION("a tolerance") {
    files.second.description.experiments[0].measures[0].tolerance.relative = 1e-11;
    where = "/uniqueness/min_distance@tolerance_relative";
  }
  SECTION("the order of measures") {
    std::swap(files.second.description.experiments[0].measures[0], files.second.description.experiments[0].measures[1]);
    where = "/uniqueness";
  }
  SECTION("a message") {
    files.second.outcomes[0].message = "a note";
    where = "/message[0]";
  }
  SECTION("completeness") {
    files.second.description.complete = false;
    where = "/@complete";
  }
  SECTION("a type") {
    files.second.description.experiments[0].axes[0].kind = data::Kind::real;  // length
    where = "/uniqueness/length@_FillValue";
  }
  const results::Comparison comparison = files.exact();
  REQUIRE_FALSE(comparison.differences.empty());
  if (where.find("_FillValue") == std::string::npos) CHECK(comparison.differences[0].where == where);
  CHECK_FALSE(comparison.equal());
}

TEST_CASE("what differs is shown in full: lists, and numbers of more digits than a double has") {
  Two files;
  files.second.cells[0].seed = files.first.cells[0].seed = 18446744073709551615u;
  files.second.cells[0].seed -= 1;
  CHECK(files.exact().differences.at(0).what ==
        "is 18446744073709551615 in the first file and 18446744073709551614 in the second, the first of what differs "
        "there");
  Two others;
  CHECK(others.exact().equal());
  {
    const hid_t file = H5Fopen((others.directory / "b.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t status = H5Dopen2(file, "status", H5P_DEFAULT), attribute = H5Aopen(status, "flag_values", H5P_DEFAULT);
    const std::array<std::uint8_t, 5> values{7, 1, 2, 3, 4};
    REQUIRE(H5Awrite(attribute, H5T_NATIVE_UINT8, values.data()) >= 0);
    H5Aclose(attribute), H5Dclose(status), H5Fclose(file);
  }
  const auto differences = results::compare_exact(others.directory / "a.h5", others.directory / "b.h5").differences;
  REQUIRE(differences.size() == 1);
  CHECK(differences[0].where == "/status@flag_values");
  CHECK(differences[0].what == "is 0, 1, 2, 3, 4 in the first file and 7, 1, 2, 3, 4 in the second");
}

TEST_CASE("files that are not there, or no results, cannot be compared") {
  const sample::Directory directory;
  sample::make_run().write(directory / "a.h5");
  CHECK_THROWS_AS(results::compare_exact(directory / "a.h5", directory / "b.h5"), base::FileError);
  CHECK_THROWS_AS(results::compare_within_tolerance(directory / "b.h5", directory / "a.h5"), base::FileError);
}

TEST_CASE("untrained weights in one file and trained ones in the other: what shows both side by side") {
  const auto train = [](sample::Run& run) {
    for (std::size_t i = 0; i < run.cells.size(); ++i) {
      if (run.outcomes[i].weights != data::WeightsState::untrained) continue;
      run.cells[i].given = {{data::given_weights, "ab12"}};
      run.cells[i].id = data::identity(run.cells[i], "1", "1");
      run.outcomes[i].weights = data::WeightsState::given;
      run.outcomes[i].message = "given weights: table from file ab12";
    }
  };
  Two files;
  train(files.second);
  const results::Comparison comparison = files.tolerant();
  CHECK(comparison.only_in_first == 2);
  CHECK(comparison.only_in_second == 2);
  REQUIRE(comparison.reasons.size() == 1);
  const std::string report = "poslab report " + (files.directory / "a.h5") + " --beside " + (files.directory / "b.h5");
  CHECK_THAT(comparison.reasons[0], check::contains("untrained in the first") && check::contains(report));
  Two other;
  train(other.first);
  CHECK_THAT(other.tolerant().reasons.at(0), check::contains(": trained in the first"));
  Two both;
  train(both.first), train(both.second);
  CHECK(both.tolerant().reasons.empty());
}
