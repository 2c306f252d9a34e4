// SPDX-License-Identifier: Apache-2.0
// What a child that has looked into a file answers, and what its parent understands.
#pragma once

#include <optional>
#include <string>

#include "poslab/results/output_content.hpp"

namespace poslab::run {

std::string look_answer(const results::OutputContent& content);
/// Nothing if it is no such answer.
std::optional<results::OutputContent> content_of(const std::string& look_answer);

}  // namespace poslab::run
