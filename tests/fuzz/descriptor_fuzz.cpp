// SPDX-License-Identifier: Apache-2.0
// A plugin's table of any content: every pointer is null or valid, and each struct has exactly as many bytes as its
// `size` says, so that a read beyond it is seen. What the host accepts must be usable as declared.
#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

#include "declared.hpp"
#include "finding.hpp"
#include "poslab/base/error.hpp"
#include "poslab/host/library.hpp"

using namespace poslab;

namespace {

constexpr std::size_t room = 64;  // how far beyond ours a newer struct may reach

// Owns whatever a table points to.
class Memory {
 public:
  explicit Memory(FuzzedDataProvider& source) : source_(source) {}

  template <class T>
  T* array(std::size_t count) {
    blocks_.push_back(std::make_unique<unsigned char[]>(count * sizeof(T)));
    return reinterpret_cast<T*>(blocks_.back().get());
  }

  // Mostly a name that the rules allow, so that what comes after names is reached.
  const char* text() {
    static const char* const usual[] = {"base", "rope", "1", "a sentence", "1.0", "style", "half-split", "x", "n2", ""};
    if (source_.ConsumeProbability<float>() < 0.02F) return nullptr;
    if (source_.ConsumeBool()) return usual[source_.ConsumeIntegralInRange<std::size_t>(0, std::size(usual) - 1)];
    const std::string text = source_.ConsumeRandomLengthString(24);
    char* copy = array<char>(text.size() + 1);
    std::memcpy(copy, text.c_str(), text.size());  // a NUL may stand inside
    return copy;
  }

  // `size` bytes that begin with what `whole` holds.
  template <class Struct>
  const Struct* cut(Struct whole) {
    const bool usual = source_.ConsumeProbability<float>() < 0.9F;
    whole.size = usual ? static_cast<std::uint32_t>(sizeof(Struct))
                       : source_.ConsumeIntegralInRange<std::uint32_t>(8, sizeof(Struct) + room);
    unsigned char* bytes = array<unsigned char>(whole.size);
    std::memcpy(bytes, &whole, std::min<std::size_t>(whole.size, sizeof(Struct)));
    return reinterpret_cast<const Struct*>(bytes);
  }

 private:
  FuzzedDataProvider& source_;
  std::vector<std::unique_ptr<unsigned char[]>> blocks_;
};

class Tables {
 public:
  explicit Tables(FuzzedDataProvider& source) : source_(source), memory_(source) {}

  const poslab_plugin* plugin() {
    poslab_plugin table{};
    table.major = source_.ConsumeBool() ? source_.ConsumeIntegral<std::uint16_t>() : POSLAB_MAJOR;
    table.minor = source_.ConsumeBool() ? source_.ConsumeIntegral<std::uint16_t>() : POSLAB_MINOR;
    for (const char** member :
         {&table.id, &table.title, &table.version, &table.paper, &table.summary, &table.formula, &table.used_in})
      *member = memory_.text();
    table.family = source_.ConsumeIntegralInRange<std::int32_t>(-1, 7);
    table.least_axes = small_or_any(), table.most_axes = small_or_any();
    table.real_positions = source_.ConsumeIntegral<std::int32_t>();
    table.create = source_.ConsumeBool() ? create : nullptr;
    table.destroy = source_.ConsumeBool() ? destroy : nullptr;
    std::tie(table.operations, table.operation_count) = operations();
    std::tie(table.parameters, table.parameter_count) = parameters();
    return memory_.cut(table);
  }

 private:
  static std::int32_t create(const poslab_value*, const poslab_model*, poslab_instance*, poslab_error*) { return 0; }
  static void destroy(void*) {}
  static std::int32_t operation(const void*, const poslab_call*, poslab_error*) { return 0; }

  std::int32_t small_or_any() {
    return source_.ConsumeBool() ? source_.ConsumeIntegralInRange<std::int32_t>(0, 3)
                                 : source_.ConsumeIntegral<std::int32_t>();
  }
  double number() {
    static const double usual[] = {0, 1, -1, 1e4, 9.1e15, 1e300, HUGE_VAL, -HUGE_VAL, NAN, 0.5};
    return source_.ConsumeBool() ? usual[source_.ConsumeIntegralInRange<std::size_t>(0, std::size(usual) - 1)]
                                 : source_.ConsumeFloatingPoint<double>();
  }
  // A count without memory is negative: a positive one that is untrue no host can see.
  std::int64_t count(std::int64_t most) { return source_.ConsumeIntegralInRange<std::int64_t>(-1, most); }

  std::pair<const poslab_operation_pair*, std::int64_t> operations() {
    const std::int64_t many = source_.ConsumeBool() ? count(POSLAB_OPERATION_COUNT + 3) : POSLAB_OPERATION_COUNT;
    if (many < 0 || source_.ConsumeProbability<float>() < 0.05F) return {nullptr, many};
    auto* pairs = memory_.array<poslab_operation_pair>(static_cast<std::size_t>(many));
    for (std::int64_t i = 0; i < many; ++i)
      pairs[i] = {source_.ConsumeBool() ? operation : nullptr, source_.ConsumeBool() ? operation : nullptr};
    return {pairs, many};
  }

  std::pair<const poslab_parameter* const*, std::int64_t> parameters() {
    const std::int64_t many = count(6);
    if (many < 0 || source_.ConsumeProbability<float>() < 0.05F) return {nullptr, many};
    auto* rows = memory_.array<const poslab_parameter*>(static_cast<std::size_t>(many));
    for (std::int64_t i = 0; i < many; ++i) rows[i] = parameter();
    return {rows, many};
  }

  const poslab_parameter* parameter() {
    if (source_.ConsumeProbability<float>() < 0.02F) return nullptr;
    poslab_parameter row{};
    row.kind = source_.ConsumeIntegralInRange<std::int32_t>(0, 6);
    row.name = memory_.text(), row.unit = memory_.text(), row.sentence = memory_.text();
    row.lowest = number(), row.highest = number();
    row.above_lowest = small_or_any(), row.below_highest = small_or_any(), row.may_be_unset = small_or_any();
    row.default_choice = small_or_any(), row.default_number = number();
    row.choice_count = count(4);
    if (row.choice_count >= 0 && source_.ConsumeBool()) {
      auto* choices = memory_.array<const char*>(static_cast<std::size_t>(row.choice_count));
      for (std::int64_t i = 0; i < row.choice_count; ++i) choices[i] = memory_.text();
      row.choices = choices;
    }
    row.default_list_count = count(4);
    if (row.default_list_count >= 0 && source_.ConsumeBool()) {
      auto* list = memory_.array<double>(static_cast<std::size_t>(row.default_list_count));
      for (std::int64_t i = 0; i < row.default_list_count; ++i) list[i] = number();
      row.default_list = list;
    }
    row.usual_count = count(4);
    if (row.usual_count >= 0 && source_.ConsumeBool()) {
      auto* usual = memory_.array<double>(static_cast<std::size_t>(row.usual_count));
      for (std::int64_t i = 0; i < row.usual_count; ++i) usual[i] = number();
      row.usual = usual;
    }
    row.role = source_.ConsumeIntegralInRange<std::int32_t>(-1, 8);
    return memory_.cut(row);
  }

  FuzzedDataProvider& source_;
  Memory memory_;
};

// As Plugin::open does it once the loader has found the constant.
void take(const poslab_plugin& constant) {
  if (host::why_not_version(constant)) return;
  const poslab_plugin table = host::copy_within_size(constant);
  data::SchemeInfo info;
  try {
    info = host::describe(table);
  } catch (const base::Error&) {
    return;
  }
  try {
    const data::Values defaults = host::complete(info, {});
    fuzz::require(host::to_boundary(info.parameters, defaults).size() == info.parameters.size(), "a parameter is lost");
  } catch (const base::Error&) {
    fuzz::finding("the defaults of a table that was taken are refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  FuzzedDataProvider source(data, size);
  Tables tables(source);
  take(*tables.plugin());
  return 0;
}
