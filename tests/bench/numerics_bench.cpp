// SPDX-License-Identifier: Apache-2.0
// The searches over all pairs of positions, on the sinusoidal table of 8192 x 512 that the PyTorch peers use. The names
// are those of peers/measurements.py; "value" is what was found, to see that both did the same.
// Dimension letters: N positions, D model width.
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <cmath>

#include "poslab/base/array.hpp"
#include "poslab/base/random.hpp"
#include "poslab/numerics/closest_pair.hpp"
#include "poslab/numerics/diagonal_spread.hpp"
#include "poslab/numerics/linear_fit.hpp"

namespace {

using poslab::base::Array;
using poslab::base::Index;
using poslab::base::View;

template <class S>
Array<S> sinusoid(Index N, Index D) {
  Array<S> table{1, N, D};
  for (Index p = 0; p < N; ++p)
    for (Index c = 0; c < D; ++c) {
      const double angle =
          static_cast<double>(p) * std::pow(1e4, -static_cast<double>(c - c % 2) / static_cast<double>(D));
      table(0, p, c) = static_cast<S>(c % 2 ? std::cos(angle) : std::sin(angle));
    }
  return table;
}

constexpr std::size_t thread_count = 2;  // as the peers

template <class S>
void closest_pair(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, thread_count);
  const Array<S> table = sinusoid<S>(state.range(0), state.range(1));
  for (auto _ : state) state.counters["value"] = poslab::numerics::closest_pair<S>(table.view()[0])->distance;
}
BENCHMARK(closest_pair<float>)->Name("closest_pair")->Args({8192, 512})->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(closest_pair<double>)
    ->Name("closest_pair_float64")
    ->Args({8192, 512})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// No structure to exploit: every bound needs every column.
void closest_pair_of_noise(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, thread_count);
  Array<double> table{state.range(0), state.range(1)};
  poslab::base::Stream("noise").fill_normal(table);
  for (auto _ : state) state.counters["value"] = poslab::numerics::closest_pair<double>(table)->distance;
}
BENCHMARK(closest_pair_of_noise)->Args({8192, 512})->UseRealTime()->Unit(benchmark::kMillisecond);

void nearest_neighbours(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, thread_count);
  const Array<double> table = sinusoid<double>(state.range(0), state.range(1));
  for (auto _ : state)
    state.counters["value"] = poslab::numerics::nearest_neighbours<double>(table.view()[0], 1e-9).closest->distance;
}
BENCHMARK(nearest_neighbours)->Args({8192, 512})->UseRealTime()->Unit(benchmark::kMillisecond);

void toeplitz_residual(benchmark::State& state) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, thread_count);
  const Array<double> table = sinusoid<double>(state.range(0), state.range(1));
  for (auto _ : state) state.counters["value"] = poslab::numerics::diagonal_spread<double>(table, table).largest();
}
BENCHMARK(toeplitz_residual)->Args({8192, 512})->UseRealTime()->Unit(benchmark::kMillisecond);

void least_squares(benchmark::State& state) {
  const Index D = state.range(1);
  const Array<double> table = sinusoid<double>(state.range(0) + 1, D);
  const View<const double> inputs = table.view()[0].rows(0, state.range(0)),
                           targets = table.view()[0].rows(1, state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(poslab::numerics::LeastSquares(inputs, 1e-12).solve(targets));
}
BENCHMARK(least_squares)->Args({2048, 512})->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
