// SPDX-License-Identifier: Apache-2.0
// Who could put code where plugins are loaded from.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::host {

/// Whether everybody may write to this file or directory (or to what it links to).
bool is_everybodys(const std::filesystem::path& path);

/// Empty if nobody can exchange this file or directory who could not exchange `program` just as well; else what is
/// wrong, as sshd looks at it (StrictModes): it, or a folder or link on the way to it, belongs to somebody who is
/// neither the user nor root nor an owner of the program or a folder above it; or everybody may write to it, and no
/// sticky bit protects what is in it. Folders above the program are not looked at.
std::string who_else_may_change(const std::filesystem::path& path, const std::filesystem::path& program);

/// The same for the running program.
std::string who_else_may_change(const std::filesystem::path& path);

}  // namespace poslab::host
