// SPDX-License-Identifier: Apache-2.0
// Where results go: refused before the work if they cannot go there. If they no longer can afterwards, the journal has
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "poslab/results/output_content.hpp"

namespace poslab::run {

/// Throws base::FileError if `path` is a directory, or lies in a directory that is missing or not writable;
/// base::DiskError if that is full.
void require_room(const std::string& path);

/// What `path` holds, asked in a process of its own, since HDF5 crashes on some damaged files. Throws
/// OutputUnreadable; `what_to_do` says then how to go on.
results::OutputContent look_at(const std::string& path, const std::string& what_to_do);

/// `require_room`, and throws OutputTaken or OutputUnreadable if `path` holds something that is not this study's
/// results. Whatever it holds may be replaced if `fresh`, or if a journal says that this study was being written there:
/// then `resumes`, which is called only where something is there.
void require_writable(const std::string& path, const std::string& study_hash, bool fresh,
                      const std::function<bool()>& resumes);

}  // namespace poslab::run
