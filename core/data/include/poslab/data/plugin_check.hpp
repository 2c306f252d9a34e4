// SPDX-License-Identifier: Apache-2.0
// What is known of a plugin's promises: what `poslab check` came to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poslab::data {

struct PluginCheck {
  enum class Result : std::uint8_t {
    passed,
    ships,  ///< with poslab, whose own tests check it
    never,  ///< checked in this build
    failed
  };
  Result result = Result::passed;
  std::vector<std::string> failed = {};  ///< names of checks

  bool is_in_doubt() const { return result == Result::never || result == Result::failed; }
  std::string text() const;  ///< "passed", "failed: bounds and order"
  bool operator==(const PluginCheck&) const = default;
};

using PluginChecks = std::map<std::string, PluginCheck>;  ///< by scheme

/// Where several speak of one scheme, the worst counts.
void add(PluginChecks& checks, const PluginChecks& more);

/// What is to be said of a scheme whose plugin is in doubt: "poslab check of mine: failed: bounds and order".
std::optional<std::string> doubt_of(const std::string& scheme, const PluginChecks& checks);

/// As they stand in `provenance`.
std::string to_json(const PluginChecks& checks);
/// Reads a text that anybody may have written: whatever `to_json` does not write is passed over.
PluginChecks plugin_checks_of(std::string_view json);

}  // namespace poslab::data
