// SPDX-License-Identifier: Apache-2.0
// Where results go: refused before the work if they cannot go there. If they no longer can afterwards, the journal has them.
#pragma once

#include <functional>
#include <string>

namespace poslab::app {

/// Throws base::FileError if `path` is a directory, lies in a directory that is missing, not writable or full, or holds
/// something that is not this study's results. Another study's may be replaced if `fresh`, or if the study has grown out
/// of that one: then `is_continued`, which is asked only where it matters.
void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<bool()>& is_continued);

}  // namespace poslab::app
