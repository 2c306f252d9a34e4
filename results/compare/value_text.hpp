// SPDX-License-Identifier: Apache-2.0
// Values of any type as text, for saying how they differ.
#pragma once

#include <string>

#include "h5/handle.hpp"

namespace poslab::results {

/// The number of that type at `bytes`; whole numbers in full: a seed has more digits than a double.
std::string number_text(const h5::Handle& type, const void* bytes);
/// A text in quotes; numbers, the first of them if there are many; else "one value".
std::string attribute_text(const h5::Handle& object, const std::string& name);

}  // namespace poslab::results
