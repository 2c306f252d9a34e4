// SPDX-License-Identifier: Apache-2.0
// A step of training takes its memory beforehand: what it still takes from the heap does not grow with the sequences'
// length. It counts in place of operator new, which sanitizers replace themselves: there is nothing of it there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <tuple>

#include "catch.hpp"
#include "poslab/base/random.hpp"
#include "poslab/host/library.hpp"
#include "poslab/training/task_batch.hpp"
#include "poslab/training/trainer.hpp"

namespace {
std::atomic<std::uint64_t> taken{0};
}

[[gnu::noinline]] void* operator new(std::size_t size) {
  taken.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace poslab;

namespace {

constexpr base::Index layers = 2, sequences = 4;

std::uint64_t allocations_of_a_step(const std::string& id, base::Index length) {
  network::Configuration c;
  c.vocabulary = 5;
  c.model_width = 16;
  c.heads = 2;
  c.layers = layers;
  c.feed_forward = 16;
  c.train_length = length;
  const host::Scheme scheme(host::Plugin::open(POSLAB_PLUGIN_DIR "/" + id + ".so"), {},
                            host::Model{c.model_width, c.heads, length});
  const network::Layout layout(c, &scheme);
  training::Trainer<float> trainer(
      c, &scheme, network::draw_parameters<float>(layout, &scheme, data::Draws(1, "allocations", id, 0)), {},
      {10, 0, 1e-3, 1}, {sequences, length, true});
  training::TaskBatch batch;
  const base::Stream stream("allocations");
  for (base::Index b = 0; b < sequences; ++b) {
    tasks::Sequence sequence;
    for (base::Index t = 0; t < length; ++t)
      sequence.tokens.push_back(static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(t), 5)));
    sequence.targets = sequence.tokens;
    sequence.mask.assign(sequence.tokens.size(), 1);
    batch.add(sequence);
  }
  const network::Batch view = batch.view();
  trainer.step(view);  // lays out its arrays
  const std::uint64_t before = taken;
  trainer.step(view);
  return taken - before;
}

}  // namespace

TEST_CASE("a step of training allocates nothing by itself, and for a scheme some times a call") {
  CHECK(allocations_of_a_step("none", 24) == 0);
  // How often a step calls the scheme: a bias forward, again backward, and its gradient, once a layer; the others for
  // each sequence; a rotation of queries and keys forward and backward.
  const base::Index per_layer = layers, per_sequence = layers * sequences;
  const std::tuple<const char*, base::Index, std::uint64_t> schemes[] = {{"alibi", 2 * per_layer, 2},
                                                                         {"t5", 3 * per_layer, 8},
                                                                         {"rope", 4 * per_sequence, 2},
                                                                         {"shaw", 5 * per_sequence, 8},
                                                                         {"selective-rope", 2 * per_sequence, 48}};
  for (const auto& [id, calls, times] : schemes) {
    const std::uint64_t few = allocations_of_a_step(id, 24);
    CAPTURE(id, calls, few);
    CHECK(few <= static_cast<std::uint64_t>(calls) * times);
    CHECK(allocations_of_a_step(id, 96) == few);
  }
}
#endif
