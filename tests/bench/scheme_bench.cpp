// SPDX-License-Identifier: Apache-2.0
// What schemes cost through the host's face, on two threads: the sinusoidal table, rotary application, and the norms
// around it. The names are those of peers/measurements.py; "value" is what was found, to see that both did the same.
// Dimension letters: N positions, H heads, K head width, D model width.
#include <benchmark/benchmark.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "poslab/base/array.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/numerics/inner_product.hpp"

namespace {

using poslab::base::Array;
using poslab::base::Index;
using poslab::base::View;
namespace host = poslab::host;

constexpr Index thread_count = 2;

std::shared_ptr<const host::Plugin> plugin(const std::string& id) {
  return host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so");
}

// [N, 1]: 0, 1, 2 ...
Array<double> consecutive_positions(Index N) {
  Array<double> positions({N, 1});
  for (Index p = 0; p < N; ++p) positions(p, 0) = static_cast<double>(p);
  return positions;
}

void sinusoidal_table(benchmark::State& state) {
  constexpr Index N = 8192, D = 512, rows = 512;
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, thread_count);
  const host::Scheme scheme(plugin("sinusoidal"), {}, {.model_width = D, .heads = 8, .train_length = N});
  const Array<double> positions = consecutive_positions(N);
  Array<float> table({N, D});
  for (auto _ : state) {
    tbb::parallel_for(Index{0}, N / rows, [&](Index block) {
      scheme.encode<float>({.length = N, .train_length = N}, positions.view().rows(block * rows, rows), {},
                           table.view().rows(block * rows, rows));
    });
    benchmark::ClobberMemory();
  }
  state.counters["value"] = table(N - 1, 0);
}
BENCHMARK(sinusoidal_table)->UseRealTime()->Unit(benchmark::kMillisecond);

// The same numbers as the peer's queries: multiples of an odd constant, which fill [-1, 1) evenly.
float scattered(Index i) {
  const auto bits = static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * 2654435761U);
  return static_cast<float>(static_cast<double>(bits) / 0x1p31 - 1);
}

// RoPE on [H, N, K] queries. Heads are split: each thread rotates its own, with a variant of half the width.
class RotaryQueries {
 public:
  static constexpr Index H = 32, N = 4096, K = 128, share = H / thread_count;

  RotaryQueries()
      : scheme_(plugin("rope"), {{"style", std::string("half-split")}},
                {.model_width = share * K, .heads = share, .train_length = N}) {
    for (Index i = 0; i < queries.size(); ++i) queries.data()[i] = scattered(i);
  }

  void rotate() {
    tbb::parallel_for(Index{0}, thread_count, [&](Index part) {
      scheme_.transform<float>({.length = N, .train_length = N}, host::Side::query, positions_, {},
                               queries.view().rows(part * share, share));
    });
  }

  // The largest departure of |T x| / |x| from 1, summed in double as norm-preservation does. A block of positions is
  // rotated as a copy that stays in the second-level cache: the queries are read once, and nothing is written to
  // memory.
  double norm_departure() const {
    constexpr Index rows = 16, line = 16;  // floats
    return tbb::parallel_reduce(
        tbb::blocked_range<Index>(0, N / rows, 8), 0.0,
        [&](const tbb::blocked_range<Index>& range, double worst) {
          Array<float> rotated{H, rows, K};
          Array<double> before{H, rows};
          for (Index block = range.begin(); block < range.end(); ++block) {
            const Index first = block * rows;
            for (Index h = 0; h < H; ++h)
              for (Index n = 0; n < rows; ++n) {
                const float* x = &queries(h, first + n, 0);
                for (Index k = 0; k < K; k += line) __builtin_prefetch(x + rows * K + k);  // the next block's
                before(h, n) = poslab::numerics::sum_of_squares(x, K);
                std::copy_n(x, K, &rotated(h, n, 0));
              }
            all_heads_.transform<float>({.length = N, .train_length = N}, host::Side::query,
                                        positions_.view().rows(first, rows), {}, rotated);
            for (Index h = 0; h < H; ++h)
              for (Index n = 0; n < rows; ++n) {
                const double after = poslab::numerics::sum_of_squares(&rotated(h, n, 0), K);
                worst = std::max(worst, std::abs(std::sqrt(after) / std::sqrt(before(h, n)) - 1));
              }
          }
          return worst;
        },
        [](double one, double other) { return std::max(one, other); });
  }

  // What reading the queries costs.
  float sum() const {
    return tbb::parallel_reduce(
        tbb::blocked_range<Index>(0, H, 1), 0.0F,
        [&](const tbb::blocked_range<Index>& heads, float sum) {
          constexpr Index lanes = 64;
          float sums[lanes] = {};
          for (Index h = heads.begin(); h < heads.end(); ++h) {
            const float* x = &queries(h, 0, 0);
            for (Index i = 0; i < N * K; i += lanes)
              for (Index lane = 0; lane < lanes; ++lane) sums[lane] += x[i + lane];
          }
          for (const float x : sums) sum += x;
          return sum;
        },
        std::plus<>());
  }

  Array<float> queries{H, N, K};

 private:
  host::Scheme scheme_;
  host::Scheme all_heads_{
      plugin("rope"), {{"style", std::string("half-split")}}, {.model_width = H * K, .heads = H, .train_length = N}};
  Array<double> positions_ = consecutive_positions(N);
};

// In place, as the engine transforms queries and keys.
void rotary_application(benchmark::State& state) {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, thread_count);
  RotaryQueries rotary;
  rotary.rotate();
  state.counters["value"] = rotary.queries(0, 1, 0);
  for (auto _ : state) {
    rotary.rotate();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(rotary_application)->UseRealTime()->Unit(benchmark::kMillisecond);

// Largest departure of |T x| / |x| from 1.
void norm_ratio(benchmark::State& state) {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, thread_count);
  const RotaryQueries rotary;
  double worst = 0;
  for (auto _ : state) {
    worst = rotary.norm_departure();
    benchmark::ClobberMemory();
  }
  state.counters["value"] = worst;
}
BENCHMARK(norm_ratio)->UseRealTime()->Unit(benchmark::kMillisecond);

// The queries of norm_ratio, read and nothing else.
void reading(benchmark::State& state) {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, thread_count);
  const RotaryQueries rotary;
  float sum = 0;
  for (auto _ : state) {
    sum = rotary.sum();
    benchmark::ClobberMemory();
  }
  state.counters["value"] = static_cast<double>(sum);
}
BENCHMARK(reading)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
