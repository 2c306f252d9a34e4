// SPDX-License-Identifier: Apache-2.0
// What is said of a dump, from the variants that were found, and of what was expected.
#pragma once

#include "poslab/identify/identify.hpp"
#include "search/schemes.hpp"

namespace poslab::identify {

Verdict verdict_of(const Evidence& evidence, Result result, const Plugins& plugins);

/// A dump in which nothing happens is of the scheme that does nothing, and another was perhaps not applied; where
/// nothing could happen, it says nothing. No verdict where something happens, or no plugin is of a scheme without
/// operations.
std::optional<Verdict> verdict_of_nothing(const Evidence& evidence, const Plugins& plugins);

/// What has no numbers to compare: it fits.
Fit fit_of_nothing(const Named& named, const Evidence& evidence);

/// How what was expected compares. `leaves_out`: keys after the query are not looked at, though they are no mask.
/// Throws base::Error where no plugin offers it.
Expected fit_of(const Named& expected, const Evidence& evidence, const Plugins& plugins, bool leaves_out = false);

/// Where what was expected fits as well, and makes other numbers than what was named, it is one of several.
void take_as_rival(const Named& expected, Verdict& verdict, const Evidence& evidence, const Plugins& plugins);

}  // namespace poslab::identify
