// SPDX-License-Identifier: Apache-2.0
// `poslab import`: what a model's configuration comes to.
#pragma once

#include <string>

#include "commands/document.hpp"
#include "poslab/import/model.hpp"

namespace poslab::app {

/// Keys: file, family, form, heads, head_width, kinds, kind_of_layer, used, assumed, not_understood, not_expressed,
/// readers_differ, refused_by_other, read_by_other.
Document import_document(const importing::Model& model, const std::string& file);

}  // namespace poslab::app
