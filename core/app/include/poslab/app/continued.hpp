// SPDX-License-Identifier: Apache-2.0
// Whether a study goes on where a journal says that something was done.
#pragma once

#include <filesystem>

#include "poslab/base/catalogue.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/spec/plan.hpp"
#include "poslab/spec/study.hpp"

namespace poslab::app {

/// What a journal knows; nothing if it is corrupt, which its `notices` say.
run::JournalContent readable_content(const std::filesystem::path& journal);

/// Whether a journal is of this study: it was last written for it, or holds anything of this plan, be it under another
/// seed or version: then the study was changed, and running it is a resume. What the results file held stays in the
/// journal. Of a corrupt one nobody can tell, so it is nobody else's.
bool is_continued(const std::filesystem::path& journal, const spec::Study& study, const spec::Plan& plan,
                  const base::Catalogue& catalogue);

/// The same for the journal of one shard, which may have had no cell, or none that is still asked for: then a study of
/// the same file and title will do.
bool is_continued_shard(const std::filesystem::path& journal, const spec::Study& study, const spec::Plan& plan,
                        const base::Catalogue& catalogue);

}  // namespace poslab::app
