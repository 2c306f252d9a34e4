// SPDX-License-Identifier: Apache-2.0
// Weights of an earlier run. The child that reads them is this test program, started again: it answers what the file
// holds, as a stand-in for HDF5.
#include "poslab/run/supplied_weights.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catch.hpp"
#include "poslab/process/child.hpp"
#include "poslab/run/contained_reader.hpp"
#include "scratch.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Before main: with these arguments the test program is the child and not the test.
const bool is_reading = [] {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.size() != 4 || words[1] != process::in_child || words[2] != "kept") return false;
  process::answer(bytes_in(words[3]));
  _exit(0);
}();

data::Cell cell_of_learned() {
  data::Cell cell;
  cell.variant = {"learned", "learned", {}, {}};
  cell.axes = {{"d_model", std::int64_t{2}}, {"heads", std::int64_t{1}}};
  return cell;
}

results::TrainedCell trained_by(const std::string& experiment, double number) {
  results::TrainedCell trained;
  trained.experiment = experiment;
  trained.scheme = trained.variant = "learned";
  trained.parameters = data::Values{}.to_json();
  trained.d_model = 2;
  trained.heads = 1;
  trained.arrays.push_back({"table", {1, 2}, std::vector<double>{number, number}});
  return trained;
}

}  // namespace

TEST_CASE("supplied weights: of two trainings in one file the one that is chosen counts") {
  const check::Scratch scratch;
  const std::string file = scratch / "trained.h5";
  std::ofstream(file, std::ios::binary) << run::encode(
      std::vector{trained_by("language-model", 1), trained_by("length-generalisation", 2)});
  const data::Cell cell = cell_of_learned();
  CHECK_THROWS_WITH(run::SuppliedWeights({file}).hash_of(cell),
                    check::contains("several weights of learned, repeat 0"));
  const run::SuppliedWeights one({file + ":language-model"}), other({file + ":length-generalisation"});
  CHECK(one.repeats_of(cell) == 1);
  CHECK_FALSE(one.hash_of(cell).empty());
  CHECK(one.hash_of(cell) != other.hash_of(cell));
  CHECK_THROWS_WITH(run::SuppliedWeights({file + ":uniqueness"}),
                    check::contains("keeps no weights that uniqueness trained, but of language-model and length-"));
}
