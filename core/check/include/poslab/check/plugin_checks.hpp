// SPDX-License-Identifier: Apache-2.0
// What is known of the plugins of a run before it begins.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "poslab/check/finding_store.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::check {

using PluginChecks =
    std::map<std::string, std::string>;  ///< by scheme: "passed", "failed: bounds", "never checked ..."

/// Performs every check of each plugin now, and keeps what was found for this user; `told` hears each result.
PluginChecks check_plugins(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes,
                           const std::function<void(const std::string& scheme, const std::string& result)>& told);
/// What earlier checks found.
PluginChecks known_checks(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes);

/// What known_checks says of a plugin that nobody has ever checked.
inline constexpr const char* never_checked = "never checked in this build";
/// The schemes of which it says that, in order of id.
std::vector<std::string> unchecked(const PluginChecks& checks);

}  // namespace poslab::check
