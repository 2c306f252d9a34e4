// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poslab::scaffold {

/// Whether a scheme can be called this: lower-case letters, digits and hyphens, a letter first, no hyphen last.
bool is_usable(const std::string& name);

/// my_rope
std::string as_module(std::string name);

/// The template `file` with the name of the scheme in each of its four forms: my-rope, my_rope, MyRope, My rope.
std::string filled(const std::string& file, const std::string& name);

}  // namespace poslab::scaffold
