// SPDX-License-Identifier: Apache-2.0
// What is said of a dump, from the variants that were found.
#pragma once

#include "poslab/identify/identify.hpp"
#include "search/schemes.hpp"

namespace poslab::identify {

Verdict verdict_of(const Evidence& evidence, Result result, const Plugins& plugins);

/// A dump in which nothing happens is of the scheme that does nothing, and another was perhaps not applied; where
/// nothing could happen, it says nothing. No verdict where something happens, or no plugin is of a scheme without
/// operations.
std::optional<Verdict> verdict_of_nothing(const Evidence& evidence, const Plugins& plugins);

/// How what was expected compares. Throws base::Error where no plugin offers it.
Expected fit_of(const Named& expected, const Evidence& evidence, const Plugins& plugins);

}  // namespace poslab::identify
