// SPDX-License-Identifier: Apache-2.0
// What a plugin declares, in the terms of the catalogue: every rule for its table, its parameters and its instances is
// checked here, once. Its structs may be shorter (an older header) or longer (a newer one) than ours; of its texts,
// what is too long is not read on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// A copy of `source` as far as its own `size` reaches; members beyond read as zero.
template <class Struct>
Struct copy_within_size(const Struct& source) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  Struct copy{};
  std::memcpy(&copy, &source, std::min<std::size_t>(source.size, sizeof(Struct)));
  return copy;
}

inline constexpr std::size_t max_name_bytes = POSLAB_LONGEST_NAME, max_sentence_bytes = POSLAB_LONGEST_SENTENCE;

struct DeclaredText {
  std::string text;
  std::string problem;  ///< "is null", "has more than 200 bytes" ...; empty: the text may be used
};
DeclaredText declared_text(const char* given, std::size_t longest);

/// "17 parameters, but at most 10 are taken"; nothing if they are not too many.
std::optional<base::Refusal> why_not_so_many(std::int64_t count, std::int64_t most, const char* of_what);

/// Nothing if the constant's first three members fit this host: major version, minor version, struct size.
std::optional<base::Refusal> why_not_version(const poslab_plugin& constant);

/// The scheme that `table` declares; throws base::Error with the rule that it breaks. `file` members stay empty.
data::SchemeInfo describe(const poslab_plugin& table);

/// Whether `name` is lower_case with a letter first, as parameters and weights must be.
bool is_lower_case_name(const std::string& name);

/// The parameters that `table` declares; throws base::Error with the rule that one breaks.
std::vector<data::Quantity> declared_parameters(const poslab_plugin& table);

/// All parameters in declared order, `given` ones validated, the others at their defaults; throws base::Error.
data::Values complete(const data::SchemeInfo& info, const data::Values& given);

/// What holds where a plugin says nothing: no limits, no claims, the usual scale.
poslab_instance blank_instance();

/// Throws base::Error with the rule that `instance` breaks.
void check_instance(const poslab_plugin& table, const poslab_instance& instance);

/// The learnable arrays that `instance` declares; throws base::Error with the rule that one breaks.
std::vector<WeightInfo> declared_weights(const poslab_instance& instance);

}  // namespace poslab::host
