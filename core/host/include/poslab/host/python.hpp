// SPDX-License-Identifier: Apache-2.0
// Schemes that are written in Python: which files they are, and which Python runs them.
#pragma once

#include <filesystem>
#include <string>

namespace poslab::host {

/// Whether a plugin of this name is a Python file.
bool is_python(const std::filesystem::path& file);

/// Whether the file's text has the word that declares a scheme: in a folder of plugins other Python files lie, too, and
/// looking at one does not run it. False for what cannot be read.
bool declares_scheme(const std::filesystem::path& file);

/// The Python that runs schemes: POSLAB_PYTHON, or python3 of the PATH.
std::string python();

}  // namespace poslab::host
