// SPDX-License-Identifier: Apache-2.0
// What `poslab merge` says. It holds texts of files that anybody may have written, made printable here.
#pragma once

#include <string>

#include "poslab/run/merge_shards.hpp"
#include "text/summary.hpp"

namespace poslab::app {

/// For stderr: builds and processors, where there are several.
std::string mixture_text(const run::Mixture& mixture);
/// For stdout: the summary and the closing line; nothing if no file was written.
StyledText merge_text(const run::MergeResult& result, const std::string& output, const SummaryStyle& style);

}  // namespace poslab::app
