// SPDX-License-Identifier: Apache-2.0
// What is known of the plugins of a run before it begins.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "poslab/check/verdict_store.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/run/prepare.hpp"

namespace poslab::app {

using PluginChecks =
    std::map<std::string, std::string>;  ///< by scheme: "passed", "failed: bounds", "never checked ..."

/// The schemes of which the runs have cells, in order of id.
std::vector<data::SchemeInfo> schemes_of(const std::vector<run::PreparedRun>& runs);

/// Performs every check of each plugin now, and keeps what was found for this user; `told` hears each verdict.
PluginChecks check_plugins(const std::vector<data::SchemeInfo>& schemes,
                           const std::function<void(const std::string& scheme, const std::string& verdict)>& told);
/// Keeps what all checks have found of a plugin, for this user.
void keep_check(const data::SchemeInfo& scheme, const check::PluginVerdict& verdict);
/// What earlier checks found.
PluginChecks known_checks(const std::vector<data::SchemeInfo>& schemes);
/// One line on the plugins that nobody has ever checked; empty if there are none.
std::string unchecked_text(const PluginChecks& checks);

}  // namespace poslab::app
