// SPDX-License-Identifier: Apache-2.0
// Whether a run of a study resumes the run that a journal describes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/journal/journal.hpp"

namespace poslab::journal {

/// By what a journal recognises the study that it was written for.
struct StudyName {
  std::string title, path, hash;
};

/// The content of a journal; empty if it is corrupt, with a notice that says so.
JournalContent readable_content(const std::filesystem::path& journal);

/// How many of the journal's cells are not among `cells`.
std::size_t count_unasked(const std::unordered_map<std::string, KnownCell>& known,
                          const std::vector<data::Cell>& cells);

/// Whether a journal was last written for this study, or has any of these cells, even under another seed or version:
/// then the study was changed, and running it resumes. The content of the results file stays in the journal. A corrupt
/// journal is taken to be this study's, since it cannot tell.
bool resumes(const std::filesystem::path& journal, const StudyName& study, const std::vector<data::Cell>& cells,
             const data::Catalogue& catalogue);

/// The same for the journal of one shard, which may have no cell, or none that is still in the plan: then a study of
/// the same file and title is enough.
bool resumes_shard(const std::filesystem::path& journal, const StudyName& study, const std::vector<data::Cell>& cells,
                   const data::Catalogue& catalogue);

/// The identities of these cells and of all that the journal has.
std::set<std::string> cells_of(const std::filesystem::path& journal, const std::vector<data::Cell>& cells);

}  // namespace poslab::journal
