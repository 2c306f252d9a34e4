// SPDX-License-Identifier: Apache-2.0
// What commands say, apart from what they do: a test reads it without a terminal.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "commands/document.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/run/find.hpp"
#include "poslab/run/merge_shards.hpp"
#include "poslab/run/published.hpp"
#include "poslab/run/run_status.hpp"
#include "poslab/scaffold/scheme_folder.hpp"
#include "text/summary.hpp"

namespace poslab::app {

// `poslab compare`.
struct ComparedFiles {
  std::string first, second;
  bool exact = false;
};

/// A line for each measure that differs, under its experiment, with the worst of its cells; with `verbose` a line for
/// each cell. Then why cells have no partner, and the sum of all.
std::string compare_text(const results::Comparison& comparison, const ComparedFiles& files, bool verbose);

// `poslab find`.
/// In lines of at most 80 columns; of each kind the nearest few, or `all`. JSON has all, whole.
Document hits_document(const std::vector<run::Hit>& found, const std::filesystem::path& folder, bool all);

// `poslab merge`. It holds texts of files that anybody may have written, made printable here.
/// The command that performs a shard, from the one that performed another.
std::string shard_command(const run::ShardToRun& like);
/// Why files cannot be merged, and what would put it right.
std::string refusal_text(const std::vector<run::MergeProblem>& problems);
/// For stderr: builds and processors, where there are several.
std::string mixture_text(const run::Mixture& mixture);
/// For stdout: the summary and the closing line; nothing if no file was written.
StyledText merge_text(const run::MergeResult& result, const std::string& output, const SummaryStyle& style);

// `poslab new`.
/// What was written, and the commands that come next.
std::string new_scheme_text(const scaffold::SchemeFolder& written);
std::string new_scheme_text(const std::filesystem::path& written, const std::string& family);  ///< of a Python file

// `poslab status`.
/// The table continues below itself where it is wider than `width` characters.
Document status_document(const std::vector<run::PartitionStatus>& all, std::size_t width);
/// For stderr: the journals that cannot be read, and why.
std::string unreadable_text(const std::vector<run::PartitionStatus>& all);

// `poslab verify`: published | here | difference | verdict.
/// A heading for each study, below it a line for each expectation; at the end how many hold, and what is out of reach.
std::string verify_text(const std::vector<run::Verification>& all);

}  // namespace poslab::app
