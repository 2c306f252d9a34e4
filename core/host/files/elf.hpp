// SPDX-License-Identifier: Apache-2.0
// Whether a file may be given to the dynamic loader at all: a truncated library ends the process with SIGBUS.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace poslab::host {

/// Empty if `file` is a complete shared library for the running machine; else the reason, without the file's name.
std::string why_not_loadable(const std::filesystem::path& file);

/// What is said of a file that lacks its end.
std::string truncated_text(std::uint64_t size, std::uint64_t wanted);

}  // namespace poslab::host
