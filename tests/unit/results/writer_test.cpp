// SPDX-License-Identifier: Apache-2.0
// What a results file holds, read back through HDF5 itself.
#include "poslab/results/writer.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "h5/attribute.hpp"
#include "h5/description.hpp"
#include "h5/dimension_names.hpp"
#include "h5/measure_attributes.hpp"
#include "poslab/data/outcome.hpp"
#include "read/results_file.hpp"
#include "sample.hpp"

using namespace poslab;
using results::h5::Handle;

namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Written {
  explicit Written(const sample::Run& run) {
    run.write(path);
    file = results::h5::open_file(path);
  }
  Handle group(const std::string& name) const { return results::h5::open_group(file, name); }
  sample::Directory directory;
  std::string path = directory / "a.h5";
  Handle file;
};

std::vector<double> row_of(const Handle& group, const std::string& name, std::size_t row, std::size_t width) {
  return results::h5::read_block(results::h5::open_dataset(group, name), {row, 0}, {1, width});
}

const std::string rope = "rope(style=half-split, base=10000.0)";

}  // namespace

TEST_CASE("the root of a results file is the index of all cells") {
  const sample::Run run = sample::make_run();
  const Written written(run);
  CHECK(results::h5::text_attribute(written.file, "Conventions") == "CF-1.10");
  CHECK(results::h5::text_attribute(written.file, "title") == "A made-up run");
  CHECK(results::h5::text_attribute(written.file, "study_hash") == std::string(64, 'a'));
  CHECK(results::h5::number_attribute(written.file, "schema_version") == 2);
  CHECK(results::h5::number_attribute(written.file, "complete") == 1);
  CHECK(results::h5::number_attribute(written.file, "planned_cells") == 45);
  CHECK(results::h5::links(written.file) ==
        std::vector<std::string>{"run_cell", "id", "experiment", "scheme", "family", "variant", "label_parameters",
                                 "status", "message", "weights_state", "seed", "repeat", "row", "uniqueness",
                                 "relative-shift", "answers", "expectations", "provenance"});
  const auto ids = results::texts(written.file, "id"), experiments = results::texts(written.file, "experiment");
  const auto status = results::numbers(written.file, "status"), row = results::numbers(written.file, "row");
  REQUIRE(ids.size() == run.cells.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    CHECK(ids[i] == run.cells[i].id);
    CHECK(experiments[i] == run.cells[i].experiment);
    CHECK(status[i] == static_cast<double>(run.outcomes[i].status));
    CHECK(row[i] == static_cast<double>(i < 15 ? i : i - 15));
  }
  CHECK(results::numbers(written.file, "seed").front() == 20261121);
  const auto schemes = results::texts(written.file, "scheme"), families = results::texts(written.file, "family");
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    const auto is = [&](const data::SchemeInfo& info) { return info.id == schemes[i]; };
    const auto info = std::find_if(run.description.schemes.begin(), run.description.schemes.end(), is);
    REQUIRE(info != run.description.schemes.end());
    CHECK(families[i] == data::to_text(info->family));
  }
}

TEST_CASE("a group has one row a cell, with what varies as columns") {
  const Written written(sample::make_run());
  const Handle group = written.group("uniqueness");
  CHECK(results::h5::links(group) ==
        std::vector<std::string>{"cell", "scheme", "variant", "d_model", "heads", "length", "kind", "repeat", "base",
                                 "style", "learned_length", "parameters", "status", "message", "position",
                                 "position_count", "min_distance", "collisions", "nearest_distance"});
  CHECK(results::numbers(written.group("relative-shift"), "cell").front() == 15);
  CHECK(results::texts(group, "scheme")[3] == "sinusoidal");
  CHECK(results::texts(group, "variant")[6] == rope);
  CHECK(results::texts(group, "kind")[0] == "position");
  CHECK(results::numbers(group, "length")[4] == 8);
  const auto base = results::numbers(group, "base"), table = results::numbers(group, "learned_length");
  CHECK(std::isnan(base[0]));  // none has no base
  CHECK(base[3] == 10000);     // sinusoidal has one, though the study does not vary it
  CHECK(base[6] == 10000);
  CHECK(base[9] == 500000);
  CHECK(std::isnan(table[3]));
  CHECK(table[12] == 8);  // the parameter `length` of learned beside the axis `length`
  CHECK(results::texts(group, "style")[0].empty());
  CHECK(results::texts(group, "style")[6] == "half-split");
  CHECK(results::texts(group, "parameters")[6] == "{\"base\": 10000.0, \"style\": \"half-split\"}");
  CHECK(results::texts(group, "message")[12] == "untrained weights");
}

TEST_CASE("curves lie at their coordinates and are NaN elsewhere") {
  const sample::Run run = sample::make_run();
  const Written written(run);
  const Handle group = written.group("uniqueness");
  CHECK(results::numbers(group, "position").size() == 16);
  const auto counts = results::numbers(group, "position_count");
  for (std::size_t cell = 0; cell < 15; ++cell) {
    const bool skipped = run.outcomes[cell].status == data::Status::skipped;
    const auto length = static_cast<std::size_t>(run.cells[cell].axes.integer("length"));
    CHECK(counts[cell] == static_cast<double>(skipped ? 0 : length));
    const auto row = row_of(group, "nearest_distance", cell, 16);
    for (std::size_t p = 0; p < 16; ++p) {
      CAPTURE(cell, p);
      if (skipped || p >= length) {
        CHECK(std::isnan(row[p]));
      } else {
        CHECK(row[p] == sample::made_up(run.cells[cell], "nearest_distance", static_cast<double>(p)));
      }
    }
  }
  CHECK(std::isnan(results::numbers(group, "collisions")[12]));  // the record of learned has none
}

TEST_CASE("a flag is a number that readers can take for a truth value") {
  const Written written(sample::make_run());
  const Handle residual = results::h5::open_dataset(written.group("relative-shift"), "residual");
  CHECK(results::h5::read_numbers(residual)[0] == 0);
  CHECK(results::h5::read_numbers(residual)[3] == 1);
  CHECK(results::h5::text_attribute(residual, "dtype") == "bool");
}

TEST_CASE("coordinates that are no prefix get a mask, and values lie at them") {
  const sample::Run run = sample::make_run();
  const Written written(run);
  const Handle group = written.group("relative-shift");
  CHECK(results::numbers(group, "offset").front() == -7);
  CHECK(results::numbers(group, "shift") == std::vector<double>{1, 10, 100});
  CHECK(results::texts(group, "shift_list")[0] == "[1, 100]");
  CHECK_FALSE(results::h5::has_link(group, "offset_count"));
  CHECK(results::h5::has_link(group, "step_count"));
  CHECK(row_of(group, "shift_used", 0, 3) == std::vector<double>{1, 0, 1});
  CHECK(row_of(group, "shift_used", 3, 3) == std::vector<double>{1, 1, 1});
  const auto error = row_of(group, "content_error", 0, 3);
  CHECK(error[0] == sample::made_up(run.cells[15], "content_error", 1));
  CHECK(std::isnan(error[1]));
  CHECK(error[2] == sample::made_up(run.cells[15], "content_error", 100));
  const auto spread = row_of(group, "position_spread", 0, 15);
  for (int i = 0; i < 15; ++i) {
    const bool own = i >= 4 && i <= 10;
    CHECK(row_of(group, "offset_used", 0, 15)[static_cast<std::size_t>(i)] == own);
    if (own) CHECK(spread[static_cast<std::size_t>(i)] == sample::made_up(run.cells[15], "position_spread", i - 7));
    if (!own) CHECK(std::isnan(spread[static_cast<std::size_t>(i)]));
  }
  const auto share = results::h5::read_block(results::h5::open_dataset(group, "share"), {0, 0, 0}, {1, 3, 2});
  CHECK(share[1] == sample::made_up(run.cells[15], "share", 1 + 2.0 / 1024));
  CHECK(std::isnan(share[2]));
  CHECK(share[4] == sample::made_up(run.cells[15], "share", 100 + 1.0 / 1024));
}

TEST_CASE("a number is never bare") {
  const Written written(sample::make_run());
  const Handle group = written.group("uniqueness"), measure = results::h5::open_dataset(group, "nearest_distance");
  CHECK(results::h5::text_attribute(measure, "units") == "1");
  CHECK_FALSE(results::h5::has_attribute(measure, "unit_name"));
  CHECK(results::h5::text_attribute(measure, "long_name") == "nearest distance");
  CHECK(results::h5::text_attribute(measure, "description") == "distance to the nearest signature");
  CHECK(results::h5::text_attribute(measure, "comment") == "min over q");
  CHECK(results::h5::text_attribute(measure, "null_value") == "0");
  CHECK(results::h5::text_attribute(measure, "coordinates") ==
        "scheme variant d_model heads length kind repeat base style learned_length");
  CHECK(results::h5::number_attribute(measure, "tolerance_relative") == 1e-12);
  CHECK(results::h5::number_attribute(measure, "tolerance_statistical") == 0);
  CHECK(std::isnan(results::h5::number_attribute(measure, "_FillValue")));
  CHECK(results::h5::dimension_names(measure, results::h5::scale_names(group)) ==
        std::vector<std::string>{"cell", "position"});
  CHECK(results::h5::text_attribute(results::h5::open_dataset(group, "position"), "description") ==
        "position of the signature");
  const Handle length = results::h5::open_dataset(group, "length");
  CHECK(results::h5::text_attribute(length, "units") == "1");
  CHECK(results::h5::text_attribute(length, "unit_name") == "position");
  const Handle status = results::h5::open_dataset(group, "status");
  CHECK(results::h5::text_attribute(status, "flag_meanings") == "ok failed crashed timeout skipped");
}

TEST_CASE("units are UDUNITS's, whatever is counted") {
  using results::h5::udunits;
  for (const char* counted : {"1", "position", "pairs", "sd", "nat", "nats", "flag", "1/N", "nat/position"})
    CHECK(udunits(counted) == "1");
  CHECK(udunits("rad") == "rad");
  CHECK(udunits("rad/position") == "rad");
  CHECK(udunits("B") == "byte");
  CHECK(udunits("byte/token") == "byte");
  CHECK(udunits("byte/s") == "byte/s");
  CHECK(udunits("tokens/s") == "1/s");
  CHECK(udunits("seconds") == "s");  // which xarray would turn into durations
  CHECK(udunits("turns") == "turn");
  CHECK(udunits("") == "1");
}

TEST_CASE("seconds are not written as what xarray would take for a duration") {
  sample::Run run = sample::make_run();
  run.description.experiments[0].measures[0].unit = "seconds";
  const Written written(run);
  const Handle measure = results::h5::open_dataset(written.group("uniqueness"), "min_distance");
  CHECK(results::h5::text_attribute(measure, "units") == "s");
  CHECK(results::h5::text_attribute(measure, "unit_name") == "seconds");
}

TEST_CASE("a measure is read as it was declared, and as older files have it") {
  sample::Run run = sample::make_run();
  const Written written(run);
  const std::vector<data::MeasureInfo>& declared = run.description.experiments[0].measures;
  const std::vector<data::MeasureInfo> read = results::measures(written.group("uniqueness"));
  REQUIRE(read.size() == declared.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    CHECK(read[i].unit == declared[i].unit);
    CHECK(read[i].sentence == declared[i].sentence);
  }
  const sample::Directory directory;
  const Handle older = results::h5::create_file(directory / "older.h5");
  const Handle dataset = results::h5::create_dataset(older, "collisions", results::h5::Type::real, {1});
  results::h5::put_attribute(dataset, "units", std::string("pairs"));
  results::h5::put_attribute(dataset, "long_name", std::string("pairs of equal signatures"));
  CHECK(results::read_measure(dataset).unit == "pairs");
  CHECK(results::read_measure(dataset).sentence == "pairs of equal signatures");
}

TEST_CASE("messages that are no UTF-8 can still be read") {
  const Written written(sample::make_run());
  const auto messages = results::texts(written.group("relative-shift"), "message");
  CHECK(messages[28] == "logits are nan at query 3 \xE2\x80\x94 caf\xEF\xBF\xBD");
}

TEST_CASE("expectations and provenance") {
  const Written written(sample::make_run());
  const Handle group = written.group("expectations");
  CHECK(results::texts(group, "where")[0] == "{\"scheme\": \"none\", \"length\": 4}");
  CHECK(results::numbers(group, "difference")[0] == 0.25);
  CHECK(results::numbers(group, "verdict") == std::vector<double>{1, 2, 0});
  CHECK(results::numbers(group, "gate") == std::vector<double>{0, 0, 1});
  CHECK(results::numbers(group, "repeats") == std::vector<double>{0, 0, 1});
  CHECK(results::texts(group, "minus")[2] == R"({"scheme": "none"})");
  CHECK(results::texts(group, "sign") == std::vector<std::string>{"✗", "?", "✓"});
  CHECK(results::texts(group, "subject")[0] == "min_distance scheme=none length=4");
  CHECK(results::texts(group, "subject")[2] == "mean min_distance scheme=none length=4 less that of");
  CHECK(results::texts(group, "expected")[0] == "0.5 ± 1e-06");
  CHECK(results::texts(group, "measured_text") == std::vector<std::string>{"0.75", "–", "0.75 ± 0.13"});
  CHECK(results::h5::text_attribute(group, "counts") == "1 of 3 hold, 1 fails, 1 not measured");
  CHECK(results::numbers(group, "error")[2] == 0.125);
  CHECK(std::isnan(results::numbers(group, "measured")[1]));
  const Handle provenance = written.group("provenance");
  CHECK(results::texts(provenance, "argv") == std::vector<std::string>{"poslab run sample.toml"});
  CHECK(results::numbers(provenance, "seconds")[0] == 0.25);
  CHECK(results::h5::text_attribute(results::h5::open_dataset(provenance, "seconds"), "units") == "s");
}

TEST_CASE("the same run gives the same bytes") {
  const sample::Directory directory;
  sample::make_run().write(directory / "a.h5");
  sample::make_run().write(directory / "b.h5");
  CHECK(bytes_of(directory / "a.h5") == bytes_of(directory / "b.h5"));
  CHECK(directory.entries() == std::vector<std::string>{"a.h5", "b.h5"});
  const Handle file = results::h5::open_file(directory / "a.h5");
  for (const char* name :
       {"/", "id", "uniqueness", "uniqueness/nearest_distance", "uniqueness/position", "provenance/argv"}) {
    CAPTURE(name);
    H5O_info_t info{};
    REQUIRE(H5Oget_info_by_name1(file, name, &info, H5P_DEFAULT) >= 0);
    CHECK(info.mtime + info.ctime + info.btime + info.atime == 0);  // the clock is no part of a file
  }
}

TEST_CASE("long curves are stored without their padding") {
  const sample::Directory directory;
  sample::make_run(20000).write(directory / "a.h5");
  const Handle file = results::h5::open_file(directory / "a.h5");
  const Handle dataset = results::h5::open_dataset(file, "uniqueness/nearest_distance");
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, "H5Dget_create_plist");
  REQUIRE(H5Pget_layout(creation) == H5D_CHUNKED);
  hsize_t chunk[2] = {};
  REQUIRE(H5Pget_chunk(creation, 2, chunk) == 2);
  CHECK(chunk[0] == 1);
  CHECK(chunk[1] == 8192);
  // 15 rows of 20000; 4 cells have all of them, 10 have 4 or 8
  CHECK(H5Dget_storage_size(dataset) < 5 * 20000 * sizeof(double));
  CHECK(std::isnan(row_of(results::h5::open_group(file, "uniqueness"), "nearest_distance", 0, 20000)[19999]));
}

TEST_CASE("a run without cells, and one without curves, are files all the same") {
  const sample::Directory directory;
  sample::Run run = sample::make_run();
  run.cells.clear();
  run.outcomes.clear();
  run.expectations.clear();
  run.description.complete = false;
  run.write(directory / "none.h5");
  const Handle file = results::h5::open_file(directory / "none.h5");
  CHECK(results::texts(file, "id").empty());
  CHECK(results::h5::number_attribute(file, "complete") == 0);
  CHECK(results::h5::shape_of(results::h5::open_dataset(file, "uniqueness/nearest_distance")) ==
        results::h5::Shape{0, 0});

  sample::Run failed = sample::make_run();
  for (data::Outcome& outcome : failed.outcomes) outcome = {data::Status::failed, "no", {}, 0};
  failed.write(directory / "failed.h5");
  const Handle other = results::h5::open_file(directory / "failed.h5");
  CHECK(results::h5::shape_of(results::h5::open_dataset(other, "uniqueness/nearest_distance")) ==
        results::h5::Shape{15, 0});
}

TEST_CASE("a column of parameters is shared only where the schemes mean the same") {
  sample::Run run = sample::make_run();
  run.description.schemes[1].parameters[0].unit = "rad";  // sinusoidal's base
  const Written written(run);
  const Handle group = written.group("uniqueness");
  CHECK_FALSE(results::h5::has_link(group, "base"));
  CHECK(results::numbers(group, "sinusoidal_base")[3] == 10000);
  CHECK(std::isnan(results::numbers(group, "sinusoidal_base")[6]));
  CHECK(results::numbers(group, "rope_base")[9] == 500000);
}

TEST_CASE("names that a file reserves, and records that disagree with their declaration, are refused") {
  const sample::Directory directory;
  sample::Run run = sample::make_run();
  std::string says;
  SECTION("a measure with a reserved name") {
    run.description.experiments[0].measures[0].name = "status";
    for (data::Outcome& outcome : run.outcomes) outcome.record = {};
    says = "\"status\" cannot be the name of a measure";
  }
  SECTION("a parameter with a reserved name") {
    run.description.schemes[2].parameters[1].name = "values";
    for (data::Cell& cell : run.cells)
      if (cell.variant.scheme == "rope") cell.variant.varied = {"values"};
    says = "\"values\" cannot be the name of a parameter";
  }
  SECTION("a measure that the experiment does not declare") {
    run.outcomes[0].record.scalar("beauty", 1);
    says = "\"beauty\", which the experiment does not declare";
  }
  SECTION("a measure with other dimensions") {
    run.outcomes[0].record = {};
    run.outcomes[0].record.scalar("nearest_distance", 1);
    says = "with other dimensions";
  }
  SECTION("a cell of an experiment that the run does not have") {
    run.cells[0].experiment = "extrapolation";
    says = "no experiment of this run";
  }
  CHECK_THROWS_WITH(run.write(directory / "a.h5"), check::contains(says));
  CHECK(directory.entries().empty());
}
