// SPDX-License-Identifier: Apache-2.0
// TOML text -> toml++'s tree, and the location of each part.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "report.hpp"

namespace poslab::study {

/// Throws StudyErrors with toml++'s own words where the text is not TOML.
toml::table parse_toml(const std::string& text, const std::string& path);

SourceLocation location_of(const toml::node& node);
SourceLocation location_of(const toml::key& key);

/// What a node is, for a person: "a table", "an integer", "a date" ...
const char* kind_of(const toml::node& node);

struct Entry {
  std::string name;
  SourceLocation location;  ///< of the key
  const toml::node* node;
};

/// The entries of a table as the file has them; toml++ sorts them by name.
std::vector<Entry> in_file_order(const toml::table& table);

}  // namespace poslab::study
