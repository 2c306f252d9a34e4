// SPDX-License-Identifier: Apache-2.0
// What the journal costs: keeping the outcome of a small cell, and opening a journal of a hundred thousand of them,
// where every checksum is verified.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <numeric>
#include <string>

#include "poslab/base/hash.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/journal.hpp"

namespace {

using namespace poslab;
namespace fs = std::filesystem;

// A file in the directory where the benchmark is started: the disk that counts is not the one for temporary files.
struct Scratch {
  fs::path path = fs::absolute("poslab-journal-bench.journal");
  Scratch() { remove(); }
  ~Scratch() { remove(); }
  void remove() const {
    for (const char* suffix : {"", "-journal", "-lock"}) fs::remove(path.string() + suffix);
  }
};

data::Cell cell_of(std::size_t number) {
  data::Cell cell;
  cell.id = base::sha256(std::to_string(number)).substr(0, 32);
  cell.experiment = "uniqueness";
  cell.variant = {"sinusoidal", "sinusoidal(base=10000)", {{"base", 10000.0}}, {"base"}};
  cell.axes = {
      {"d_model", std::int64_t{16}}, {"heads", std::int64_t{2}}, {"length", static_cast<std::int64_t>(number)}};
  return cell;
}

data::Outcome small_outcome() {
  data::Outcome outcome;
  for (const char* name : {"min_distance", "mirror_distance", "effective_rank", "toeplitz_residual", "unique_count"})
    outcome.record.scalar(name, 0.25);
  std::vector<double> positions(50);
  std::iota(positions.begin(), positions.end(), 0.0);
  outcome.record.coordinate("position", positions);
  outcome.record.curve("nearest_distance", {"position"}, std::vector<double>(50, 0.5));
  return outcome;
}

void fill(journal::Journal& journal, std::size_t cells) {
  const journal::Origin origin{base::sha256("plugin"), "1.0", "1.0"};
  const data::PackedOutcome outcome(small_outcome());
  for (std::size_t i = 0; i < cells; ++i) journal.add(i, cell_of(i), outcome, origin);
  journal.commit();
}

void add(benchmark::State& state) {
  for (auto _ : state) {
    const Scratch scratch;
    journal::Journal journal(scratch.path);
    fill(journal, static_cast<std::size_t>(state.range(0)));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(add)->Name("journal/add")->Arg(10'000)->UseRealTime()->Unit(benchmark::kMillisecond);

void open(benchmark::State& state) {
  const Scratch scratch;
  {
    journal::Journal journal(scratch.path);
    fill(journal, static_cast<std::size_t>(state.range(0)));
  }
  for (auto _ : state) benchmark::DoNotOptimize(journal::Journal(scratch.path).known().size());
}
BENCHMARK(open)->Name("journal/open")->Arg(100'000)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
