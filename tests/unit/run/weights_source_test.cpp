// SPDX-License-Identifier: Apache-2.0
// What --weights says, taken apart.
#include "poslab/run/weights_source.hpp"

#include <fstream>

#include "catch.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/run/contained_reader.hpp"
#include "scratch.hpp"

using namespace poslab;
using run::weights_source;

TEST_CASE("weights: a whole run, or an array for one weight") {
  CHECK(weights_source("a.h5").is_whole_run());
  CHECK(weights_source("a.h5").file == "a.h5");
  CHECK(weights_source("a.h5:language-model").file == "a.h5");
  CHECK(weights_source("a.h5:language-model").experiment == "language-model");
  CHECK(weights_source("a.h5:language-model").is_whole_run());
  CHECK(weights_source("a.h5:language-model").text() == "a.h5:language-model");
  const run::WeightsSource bound = weights_source("learned.table=m.safetensors:wpe.weight");
  CHECK(bound.scheme == "learned");
  CHECK(bound.weight == "table");
  CHECK(bound.file == "m.safetensors");
  CHECK(bound.array == "wpe.weight");
  CHECK(bound.text() == "learned.table=m.safetensors:wpe.weight");
  CHECK(weights_source("t5.table/3=t.npy").weight == "table/3");
  CHECK(weights_source("t5.table=t.npy").array.empty());
  CHECK(weights_source("t5.table=t.npy").text() == "t5.table=t.npy");
}

TEST_CASE("weights: what is no source is refused with an example") {
  for (const char* text : {"learned=t.npy", "=t.npy", "learned.=t.npy", ".table=t.npy", "learned.table=", ""}) {
    INFO(text);
    CHECK_THROWS_WITH(weights_source(text), check::contains("learned.table=model.safetensors:"));
  }
}

TEST_CASE("weights: a path with = and : in it, of a whole run or a network") {
  const check::Scratch folder;
  const std::string file = (folder / "run=3:a.h5").string();
  std::ofstream(file) << "something";
  for (const auto& source : {weights_source(file + ":copy"), run::network_source(file + ":copy")}) {
    CHECK(source.file == file);
    CHECK(source.experiment == "copy");
  }
  CHECK(run::network_source(file).file == file);
  CHECK_THROWS_WITH(run::network_source("learned.table=t.npy"),
                    check::contains("--network learned.table=t.npy: arrays are given by --weights"));
  CHECK_THROWS_WITH(run::network_source(""), check::contains("--network : no file is named"));
}

TEST_CASE("weights: the answer of a child comes back, and no other") {
  results::TrainedCell cell{"language-model", "learned", "learned", "{}", "{}", 16, 4, 2, {"copy", 2000}, {}};
  cell.arrays.push_back({"table", {2}, std::vector<float>{1, 2}});
  const std::string answer = run::encode({cell, cell});
  const auto cells = run::decode_weights(answer);
  REQUIRE(cells.size() == 2);
  CHECK(cells[1].repeat == 2);
  CHECK(cells[1].training == cell.training);
  CHECK(cells[1].arrays[0].value(1) == 2);
  CHECK(run::decode_weights("").empty());
  for (std::size_t size = 1; size < answer.size() / 2; ++size)
    CHECK_THROWS_AS(run::decode_weights(answer.substr(0, size)), data::NotPacked);
}
