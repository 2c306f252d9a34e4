// SPDX-License-Identifier: Apache-2.0
// Which scheme made a dump.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "poslab/host/library.hpp"
#include "poslab/identify/evidence.hpp"
#include "poslab/identify/verdict.hpp"

namespace poslab::identify {

using Plugins = std::vector<std::shared_ptr<const host::Plugin>>;

/// Compares the dump with every variant of every plugin, and with what was `expected` where something was. Decides, and
/// prints nothing. Throws BadDump, base::FileError; base::Error for a scheme that no plugin offers.
Verdict identify(const Dump& dump, const Request& request, const Plugins& plugins,
                 const std::optional<Named>& expected = {});

}  // namespace poslab::identify
