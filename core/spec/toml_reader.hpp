// SPDX-License-Identifier: Apache-2.0
// TOML text -> toml++'s tree, and where each part of it stands.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "report.hpp"

namespace poslab::spec {

/// Throws StudyErrors with toml++'s own words where the text is not TOML.
toml::table parse_toml(const std::string& text, const std::string& path);

Place place_of(const toml::node& node);
Place place_of(const toml::key& key);

/// What a node is, for a person: "a table", "an integer", "a date" ...
const char* kind_of(const toml::node& node);

struct Entry {
  std::string name;
  Place place;  ///< of the key
  const toml::node* node;
};

/// The entries of a table as the file has them; toml++ sorts them by name.
std::vector<Entry> in_file_order(const toml::table& table);

}  // namespace poslab::spec
