// SPDX-License-Identifier: Apache-2.0
// What is looked at of the files of plugins: where they are looked for, who could exchange them, whether the loader may
// have them, and whose code comes with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "poslab/base/refusal.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::host {

/// The plugin directory that belongs to the program `executable`: `../plugins` beside it (build tree), else
/// `../lib/poslab/plugins` (installation); the first if neither exists.
std::filesystem::path directory_beside(const std::filesystem::path& executable);

/// Nothing if plugins may be loaded from `directory`; else the reason: missing, not a directory, world-writable ...
std::optional<base::Refusal> why_not_directory(const std::filesystem::path& directory);

/// Whether everybody may write to this file or directory (or to what it links to).
bool is_world_writable(const std::filesystem::path& path);

/// Empty if nobody can exchange this file or directory who could not exchange `program` just as well; else what is
/// wrong, as sshd looks at it (StrictModes): it, or a folder or link on the way to it, belongs to somebody who is
/// neither the user nor root nor an owner of the program or a folder above it; or everybody may write to it, and no
/// sticky bit protects what is in it. Folders above the program are not looked at.
std::string weak_permissions(const std::filesystem::path& path, const std::filesystem::path& program);

/// The same for the running program.
std::string weak_permissions(const std::filesystem::path& path);

/// Nothing if `file` is a complete shared library for the running machine; else the reason, without the file's name.
std::optional<base::Refusal> why_not_loadable(const std::filesystem::path& file);

/// Nothing if `file` may be a Python file; else the reason, without the file's name.
std::optional<base::Refusal> why_not_source(const std::filesystem::path& file);

/// What is said of a file that lacks its end.
std::string truncated_text(std::uint64_t size, std::uint64_t wanted);

/// The libraries that this process has mapped, as the loader names them.
std::set<std::string> mapped_libraries();

/// What a plugin that was loaded has brought with it, with its hashes, in order of path: all that is mapped now and was
/// not `before` it was loaded, and what it asks for by name that others had brought already; without what lies in the
/// system's own folders (/lib*, /usr/lib*). Throws base::FileError, NotElf.
std::vector<data::LinkedLibrary> linked_libraries(const std::string& plugin, const std::set<std::string>& before);

}  // namespace poslab::host
