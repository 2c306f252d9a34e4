// SPDX-License-Identifier: Apache-2.0
// Words, looked for in all that schemes and experiments declare of themselves, and in the pages that ship.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::run {

struct Hit {
  enum class Kind { scheme, parameter, experiment, axis, measure, page };
  Kind kind;
  std::string name;   ///< of a page: its path below the folder
  std::string owner;  ///< of a parameter its scheme, of an axis or a measure its experiment; else empty
  std::string text;   ///< its sentence; of a page the line that has the words, from shortly before them
  int line = 0;       ///< of a page, from 1
  /// How near: the name is the words, or has them; the sentence has them; what else is declared (or one page) has them.
  enum class Where { is_name, in_name, in_text, elsewhere } where;
};

/// Nothing has all of these words.
base::Error nothing_found(const std::vector<std::string>& words, const data::Catalogue& catalogue);

/// What has all of the words, by kind, the nearest first. Case makes no difference, nor do `-`, `_` and blanks among
/// each other. `folder` is that of what ships: its pages and its studies are looked through, as far as they are there.
std::vector<Hit> find(const std::vector<std::string>& words, const data::Catalogue& catalogue,
                      const std::filesystem::path& folder);

}  // namespace poslab::run
