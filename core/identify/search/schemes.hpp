// SPDX-License-Identifier: Apache-2.0
// All schemes against one reading of a dump.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "poslab/identify/identify.hpp"
#include "search/fit.hpp"

namespace poslab::identify {

/// The variants of a plugin for so many heads: a slip changes what is shown, and seldom which parameters show.
using KnownVariants = std::map<std::pair<const host::Plugin*, Index>, std::vector<Variant>>;

/// Whether any weights would do.
bool is_free(const Found& found);
/// How much of it was made to fit, least first: nothing but numbers; weights; one number a plane or offset; all.
int freedom_of(const Found& found);

struct Result {
  std::vector<Found> found;  ///< of each variant those that fit, which come first, or the nearest
  std::size_t tried = 0;
};

/// The variants that could have made a reading. It remembers those, and no numbers.
class Search {
 public:
  Search(const Evidence& evidence, const Plugins& plugins);
  KnownVariants variants() const;
  /// All schemes, or `only` one. Once a scheme fits, others are tried with its numbers, and with few others.
  Result with(std::size_t combinations, Looks looks, const std::string& only = {}) const;

 private:
  const Evidence& evidence_;
  const Plugins& plugins_;
  std::vector<Standard> standards_;
  std::vector<std::pair<Maker, std::vector<Variant>>> all_;
};

}  // namespace poslab::identify
