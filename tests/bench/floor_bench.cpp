// SPDX-License-Identifier: Apache-2.0
// What each operation of each built scheme costs on 8192 positions, on one thread, beside what it costs to touch its
// output: "floor" is the time of writing as many bytes (encode, bias), or of reading and writing them (transform,
// score, mix).
// Dimension letters: N positions, Nq queries of a tile, H heads, K head width, D model width, A axes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "poslab/base/array.hpp"
#include "poslab/host/library.hpp"
#include "poslab/host/scheme.hpp"

namespace {

using poslab::base::Array;
using poslab::base::Index;
namespace host = poslab::host;

constexpr Index N = 8192;

// Schemes that fill an output by formula get one of 134 MB, more than any cache holds; those that score, whose work
// grows with the widths, a smaller model.
struct Shape {
  Index H, K, Nq;
  Index D() const { return H * K; }
};
constexpr Shape wide{32, 128, 128}, narrow{8, 64, 64};

bool scores(host::Operation operation) {
  return operation == host::Operation::score || operation == host::Operation::mix;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The least of several goes at writing (or reading and writing) the array.
double floor_seconds(Array<float>& output, bool also_read) {
  double least = INFINITY;
  for (int go = 0; go < 7; ++go) {
    const auto start = std::chrono::steady_clock::now();
    if (also_read)
      for (float& x : output.flat()) x = -x;
    else
      std::fill(output.flat().begin(), output.flat().end(), static_cast<float>(go));
    benchmark::ClobberMemory();
    least = std::min(least, seconds_since(start));
  }
  return least;
}

// What peak multiply-and-add rate one thread reaches in float32, in operations a second.
double peak_rate() {
  constexpr std::size_t strands = 96, rounds = 1 << 16;
  alignas(64) float a[strands];
  for (std::size_t s = 0; s < strands; ++s) a[s] = 1.0F + static_cast<float>(s) * 1e-3F;
  double least = INFINITY;
  for (int go = 0; go < 5; ++go) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t r = 0; r < rounds; ++r)
      for (float& x : a) x = x * 0.999F + 1e-3F;
    benchmark::DoNotOptimize(a);
    least = std::min(least, seconds_since(start));
  }
  return 2.0 * strands * rounds / least;
}

// Positions of a text, or a grid of rows as long as the scheme can serve.
Array<double> positions_of(const host::Scheme& scheme) {
  const Index A = scheme.least_axes();
  const double highest = scheme.highest_position();
  const Index side = std::isfinite(highest) ? static_cast<Index>(highest) + 1 : N;
  const Index width = A == 1 ? side : std::min<Index>(side, 91);  // 91 x 91: about 8192 patches
  const Index count = A == 1 ? std::min(side, N) : std::min(width * width, N);
  Array<double> positions({count, A});
  for (Index n = 0; n < count; ++n)
    for (Index a = 0, rest = n; a < A; ++a, rest /= width)
      positions(n, A - 1 - a) = static_cast<double>(A == 1 ? rest : rest % width);
  return positions;
}

class Subject {
 public:
  Subject(const std::shared_ptr<const host::Plugin>& plugin, const Shape& shape)
      : shape_(shape),
        scheme_(plugin, {}, {.model_width = shape.D(), .heads = shape.H, .train_length = N}),
        positions_(positions_of(scheme_)) {
    const host::Weights<double> drawn = scheme_.draw_weights({0, "bench", scheme_.info().id, 0});
    weights_ = host::Weights<float>(scheme_.weights(), 1);
    for (std::size_t w = 0; w < weights_.arrays().size(); ++w)
      std::transform(drawn.arrays()[w][0].flat().begin(), drawn.arrays()[w][0].flat().end(),
                     weights_.arrays()[w][0].data(), [](double x) { return static_cast<float>(x); });
    views_ = std::as_const(weights_).layer(0);
    const Index count = positions_.extent(0);
    layer_input_ = random({count, shape.D()}, 1), key_ = random({shape.H, count, shape.K}, 2);
    query_ = random({shape.H, queries(), shape.K}, 3);
    if (scheme_.has(host::Operation::mix)) attention_ = random({shape.H, queries(), count}, 5);
  }

  Index count() const { return positions_.extent(0); }
  Index queries() const { return std::min(shape_.Nq, positions_.extent(0)); }

  Array<float> output(host::Operation operation) const {
    const Index count = positions_.extent(0);
    switch (operation) {
      case host::Operation::encode: return Array<float>({count, shape_.D()});
      case host::Operation::transform: return random({shape_.H, count, shape_.K}, 4);
      case host::Operation::mix: return Array<float>({shape_.H, queries(), shape_.K});
      default: return Array<float>({shape_.H, queries(), count});
    }
  }

  // `side` alternates, so that what stretches queries (xpos) shrinks keys and the array stays as it was.
  void run(host::Operation operation, host::Side side, Array<float>& out) const {
    const host::Context context{positions_.extent(0), N, true};
    const host::Tile tile{positions_.view().rows(first(), queries()), positions_, first()};
    switch (operation) {
      case host::Operation::encode: return scheme_.encode<float>(context, positions_, views_, out);
      case host::Operation::transform: return scheme_.transform<float>(context, side, positions_, views_, out);
      case host::Operation::bias: return scheme_.bias<float>(context, tile, views_, out);
      case host::Operation::score:
        return scheme_.score<float>(context, tile, {layer_input_, query_, key_, scheme_.logit_scale()}, views_, out);
      case host::Operation::mix: return scheme_.mix<float>(context, tile, attention_, views_, out);
    }
  }

 private:
  // Multiples of an odd constant, which fill [-1, 1) evenly.
  static Array<float> random(std::initializer_list<Index> shape, std::uint32_t key) {
    Array<float> out(shape);
    for (float& x : out.flat()) x = static_cast<float>(key++ * 2654435761U) * 0x1p-31F - 1;
    return out;
  }
  Index first() const { return positions_.extent(0) - queries(); }  // the last queries: they see all keys

  Shape shape_;
  host::Scheme scheme_;
  Array<double> positions_;
  host::Weights<float> weights_;
  std::vector<poslab::base::View<const float>> views_;
  Array<float> layer_input_, key_, query_, attention_;
};

void measure(benchmark::State& state, const std::string& id, host::Operation operation) try {
  const Shape& shape = scores(operation) ? narrow : wide;
  const Subject subject(host::Plugin::open(std::string(POSLAB_PLUGIN_DIR) + "/" + id + ".so"), shape);
  Array<float> out = subject.output(operation);
  const bool also_read = operation != host::Operation::encode && operation != host::Operation::bias;
  host::Side side = host::Side::key;
  for (auto _ : state) {
    side = side == host::Side::key ? host::Side::query : host::Side::key;
    subject.run(operation, side, out);
    benchmark::ClobberMemory();
  }
  const std::pair<const char*, Index> sizes[] = {
      {"elements", out.size()}, {"N", subject.count()}, {"Nq", subject.queries()},
      {"H", shape.H},           {"K", shape.K},         {"D", shape.D()}};
  for (const auto& [name, size] : sizes) state.counters[name] = static_cast<double>(size);
  state.counters["floor"] = floor_seconds(out, also_read);
  static const double peak = peak_rate();
  state.counters["peak"] = peak;
} catch (const std::exception& failure) {
  state.SkipWithError(failure.what());
}

}  // namespace

// One benchmark for each operation that the default variant of each built scheme offers.
int main(int argc, char** argv) {
  const host::Library library =
      host::Library::scan({std::filesystem::path(POSLAB_PLUGIN_DIR)},
                          [](const std::filesystem::path& file) { return host::Plugin::open(file)->info(); });
  for (const auto& offered : library.schemes()) {
    const auto plugin = host::Plugin::open(offered.file);
    const host::Scheme scheme(plugin, {}, {.model_width = narrow.D(), .heads = narrow.H, .train_length = N});
    for (const host::Operation operation : host::all_operations)
      if (scheme.has(operation))
        benchmark::RegisterBenchmark(("scheme/" + plugin->info().id + "/" + host::to_text(operation)).c_str(), measure,
                                     plugin->info().id, operation)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
