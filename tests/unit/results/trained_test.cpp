// SPDX-License-Identifier: Apache-2.0
// Arrays that cells kept: written, read back, merged, compared.
#include "poslab/results/trained_weights.hpp"

#include "catch.hpp"
#include "h5/attribute.hpp"
#include "h5/objects.hpp"
#include "poslab/results/compare.hpp"
#include "read/results_file.hpp"
#include "sample.hpp"

using namespace poslab;

namespace {

// The sample, two of whose cells kept what they trained.
sample::Run trained_run() {
  sample::Run run = sample::make_run();
  for (const std::size_t cell : {std::size_t{0}, std::size_t{3}}) {
    data::Record& record = run.outcomes[cell].record;
    record.trained({"copy", 2000});
    record.keep("scheme/table", {2, 2}, std::vector<double>{1, 2, 3, static_cast<double>(cell)});
    record.keep("scheme/bias/1", {2}, std::vector<float>{0.5F, 0.25F});
    record.keep("network/head", {2, 3}, std::vector<float>(6, 1));
    record.keep("network/scale", {}, std::vector<double>{7});
  }
  return run;
}

void check_cells(const sample::Run& run, const std::string& path) {
  const auto cells = results::read_trained(path);
  REQUIRE(cells.size() == 2);
  const data::Cell& first = run.cells[0];
  CHECK(cells[0].experiment == first.experiment);
  CHECK(cells[0].scheme == first.variant.scheme);
  CHECK(cells[0].variant == first.variant.label);
  CHECK(cells[0].parameters == first.variant.parameters.to_json());
  CHECK(cells[0].axes == first.axes.to_json());
  CHECK(cells[0].d_model == first.axes.integer("d_model"));
  CHECK(cells[0].training == data::Training{"copy", 2000});
  CHECK(cells[1].repeat == run.cells[3].repeat);
  REQUIRE(cells[1].arrays.size() == 2);  // the network's stay in the file
  CHECK(cells[1].arrays[0].name == "table");
  CHECK(cells[1].arrays[0].shape == std::vector<std::int64_t>{2, 2});
  CHECK(cells[1].arrays[0].value(3) == 3);
  CHECK(cells[1].arrays[1].name == "bias/1");
  CHECK(cells[1].arrays[1].value(1) == 0.25);
}

}  // namespace

TEST_CASE("kept arrays are in a group of their own, and come back") {
  const sample::Directory directory;
  const sample::Run run = trained_run();
  run.write(directory / "a.h5");
  check_cells(run, directory / "a.h5");
  const results::h5::Handle file = results::open_results(directory / "a.h5");
  const results::h5::Handle group = results::h5::open_group(file, "trained/cell_3");
  CHECK(results::h5::text_attribute(group, "id") == run.cells[3].id);
  CHECK(results::h5::number_attribute(group, "cell") == 3);
  CHECK(results::h5::is_dataset(group, "network.head"));
}

TEST_CASE("a network comes back whole, in the numbers that were kept") {
  const sample::Directory directory;
  trained_run().write(directory / "a.h5");
  const auto cells = results::read_trained(directory / "a.h5", results::Kept::all);
  REQUIRE(cells.size() == 2);
  CHECK(cells[1].cell == 3);
  CHECK(cells[1].has_network);
  CHECK(results::read_trained(directory / "a.h5")[1].has_network);
  REQUIRE(cells[1].arrays.size() == 4);
  const data::KeptArray *head = data::find_array(cells[1].arrays, "network/head"),
                        *table = data::find_array(cells[1].arrays, "scheme/table"),
                        *scale = data::find_array(cells[1].arrays, "network/scale");
  REQUIRE((head && table && scale));
  CHECK(std::get<std::vector<float>>(head->values) == std::vector<float>(6, 1));
  CHECK(std::get<std::vector<double>>(table->values) == std::vector<double>{1, 2, 3, 3});
  CHECK(scale->shape.empty());
}

TEST_CASE("a run that kept nothing has no such group") {
  const sample::Directory directory;
  sample::make_run().write(directory / "a.h5");
  CHECK(results::read_trained(directory / "a.h5").empty());
  CHECK_FALSE(results::h5::has_link(results::open_results(directory / "a.h5"), "trained"));
}

TEST_CASE("compare --exact sees a kept number that differs") {
  const sample::Directory directory;
  sample::Run run = trained_run();
  run.write(directory / "a.h5");
  run.write(directory / "b.h5");
  CHECK(results::compare_exact(directory / "a.h5", directory / "b.h5").equal());
  run = sample::make_run();
  run.outcomes[0].record.keep("scheme/table", {1}, std::vector<double>{1});
  run.write(directory / "b.h5");
  run.outcomes[0].record = sample::make_run().outcomes[0].record;
  run.outcomes[0].record.keep("scheme/table", {1}, std::vector<double>{2});
  run.write(directory / "c.h5");
  const auto compared = results::compare_exact(directory / "b.h5", directory / "c.h5");
  REQUIRE(compared.differences.size() == 1);
  CHECK(compared.differences[0].where == "/trained/cell_0/scheme.table[0]");
}

TEST_CASE("a dataset of anybody's file is read by its path") {
  const sample::Directory directory;
  const sample::Run run = trained_run();
  run.write(directory / "a.h5");
  const std::string path = directory / "a.h5";
  const data::KeptArray array = results::read_dataset(path, "/trained/cell_3/network.head");
  CHECK(array.shape == std::vector<std::int64_t>{2, 3});
  CHECK(array.value(5) == 1);
  const auto refuses = [&](const char* name, const char* words) {
    INFO(name);
    CHECK_THROWS_WITH(results::read_dataset(path, name), check::contains(words));
  };
  refuses("trained/cell_3/network.haed", "did you mean \"network.head\"?");
  refuses("trained/cell_3", "no dataset in it; there are");
  refuses("", "no dataset in it; there are");
  refuses("/", "no dataset in it; there are");
  refuses("id/x", "\"id\" is no dataset");
  refuses("seed", "holds no reals");
  refuses("variant", "holds no reals");
  CHECK_THROWS_AS(results::read_dataset(directory / "none.h5", "a"), base::FileError);
}
