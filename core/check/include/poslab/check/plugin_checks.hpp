// SPDX-License-Identifier: Apache-2.0
// What is known of the plugins of a run before it begins.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "poslab/check/finding_store.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/data/plugin_check.hpp"

namespace poslab::check {

/// Performs every check of each plugin now, and keeps what was found for this user; `told` hears each result.
data::PluginChecks check_plugins(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes,
                                 const std::function<void(const std::string& scheme, const std::string& result)>& told);
/// What earlier checks found.
data::PluginChecks known_checks(const FindingStore& store, const std::vector<data::SchemeInfo>& schemes);

/// The schemes that nobody has ever checked, in order of id.
std::vector<std::string> unchecked(const data::PluginChecks& checks);

}  // namespace poslab::check
