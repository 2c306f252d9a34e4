// SPDX-License-Identifier: Apache-2.0
// Arrays of any names, shapes and numbers, as a dump for `poslab identify`: read in some way, or refused with a
// sentence. Without plugins: what is looked for is what an array is taken for.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "finding.hpp"
#include "poslab/identify/identify.hpp"
#include "poslab/numerics/format.hpp"

using namespace poslab;

namespace {

constexpr std::array names{"pe",           "cos",    "sin",    "inv_freq", "q",       "k",           "q_rot",
                           "k_rot",        "bias",   "slopes", "logits",   "v",       "out",         "hidden_states",
                           "position_ids", "weight", "q",      "",         "a/b.cos", "embed.weight"};
constexpr std::array words{"table",  "cosines", "before", "after", "positions", "weight",
                           "logits", "outputs", "bias",   "keys",  ""};
constexpr std::array numbers{0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -65504.0};
constexpr std::size_t max_numbers = 4096, max_arrays = 8, max_rank = 5;

// Bytes of the input one after another; 0 where there are no more.
struct Bytes {
  const unsigned char* data;
  std::size_t left;
  unsigned next() { return left == 0 ? 0 : (--left, *data++); }
};

double number_of(unsigned byte, Bytes& bytes) {
  if (byte == 255) return std::numeric_limits<double>::quiet_NaN();
  if (byte == 254) return -std::numeric_limits<double>::infinity();
  if (byte >= 240) return numbers[byte % numbers.size()];
  return static_cast<double>(byte) / 64 - static_cast<double>(bytes.next()) / 7;
}

// As an array of a type holds it: float64, float32, float16, bfloat16, whole numbers. Complex ones are refused before.
double stored(double x, unsigned type) {
  switch (type % 5) {
    case 1:
      return std::abs(x) > std::numeric_limits<float>::max() ? std::copysign(INFINITY, x)
                                                             : static_cast<double>(static_cast<float>(x));
    case 2: return numerics::rounded(x, numerics::float16);
    case 3: return numerics::rounded(x, numerics::bfloat16);
    case 4: return std::isfinite(x) ? std::trunc(x) : 0;
    default: return x;
  }
}

identify::Dump dump_of(Bytes& bytes) {
  identify::Dump dump;
  const std::size_t count = bytes.next() % (max_arrays + 1);
  for (std::size_t i = 0; i < count; ++i) {
    identify::DumpArray array{names[bytes.next() % names.size()], {}, {}};
    std::size_t size = 1;
    for (std::size_t rank = bytes.next() % (max_rank + 1); rank > 0; --rank) {
      base::Index extent = bytes.next() % 9;
      if (size * static_cast<std::size_t>(extent) > max_numbers) extent = 1;
      size *= static_cast<std::size_t>(extent);
      array.shape.push_back(extent);
    }
    const unsigned type = bytes.next();
    // Most of the numbers of large arrays are one and the same.
    for (std::size_t n = 0; n < size; ++n)
      array.numbers.push_back(stored(n < 24 ? number_of(bytes.next(), bytes) : 0.25, type));
    dump.arrays.push_back(std::move(array));
  }
  return dump;
}

identify::Request request_of(Bytes& bytes, const identify::Dump& dump) {
  identify::Request request;
  const unsigned kind = bytes.next() % 16;
  if (kind <= static_cast<unsigned>(identify::Kind::outputs)) request.kind = static_cast<identify::Kind>(kind);
  for (const identify::DumpArray& array : dump.arrays)
    if (bytes.next() % 4 == 0) request.as[array.name] = words[bytes.next() % words.size()];
  if (bytes.next() % 4 == 0) request.length = bytes.next();
  return request;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  Bytes bytes{data, size};
  const identify::Dump dump = dump_of(bytes);
  const identify::Request request = request_of(bytes, dump);
  try {
    for (const identify::Evidence& evidence : identify::readings(dump, request)) {
      fuzz::require(!evidence.observations.empty(), "a reading that shows nothing");
      fuzz::require(evidence.positions.extent(0) > 0, "a reading without positions");
      fuzz::require(evidence.model.heads > 0 && evidence.model.model_width % evidence.model.heads == 0,
                    "a model whose heads do not share its width");
    }
    const identify::Verdict verdict = identify::identify(dump, request, {});
    fuzz::require(verdict.kind == identify::Verdict::Kind::nothing, "something was named, and nothing is known");
  } catch (const base::Error& error) {
    fuzz::require(*error.what() != '\0', "a refusal without a sentence");
  }
  return 0;
}
