// SPDX-License-Identifier: Apache-2.0
// Mixed schemes: a scheme, or one with other parameters, for each layer of a stack. A mixed scheme is declared like any
// other: its id is made of those of its different entries, `rope+none`, which no plugin's is, and its one parameter
// says what each layer has. So whatever groups, stores or compares schemes takes it as one of them.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"

namespace poslab::data {

/// The parameter of a mixed scheme: `3 rope(base=10000.0, ...), none`, with all parameters of each.
inline constexpr const char* by_layer = "by_layer";
std::string by_layer_text(const std::vector<LayerVariant>& layers);

/// What a mixed variant is called: `3 rope, none`. Of each scheme those parameters are told that `set` has for some
/// layer, where entry l belongs to layer l.
std::string mixed_label(const std::vector<LayerVariant>& layers, const std::vector<Values>& set);

/// The mixed scheme of these layers: its version names those of its plugins, its hash is made of theirs.
/// Precondition: `schemes` have all of them.
SchemeInfo mixed_scheme(const std::vector<LayerVariant>& layers, const std::vector<SchemeInfo>& schemes);

/// The plugins of a scheme: itself, or those of a mixed one.
std::vector<SchemeInfo> plugins_of(const SchemeInfo& scheme);

}  // namespace poslab::data
