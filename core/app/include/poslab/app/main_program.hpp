// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace poslab::app {

/// The whole program: `arguments` without its name; returns the exit code. Never throws.
int main_program(const std::vector<std::string>& arguments);

}  // namespace poslab::app
