// SPDX-License-Identifier: Apache-2.0
// `poslab import`: what a model's configuration comes to.
#pragma once

#include <string>

#include "commands/document.hpp"
#include "poslab/import/model.hpp"

namespace poslab::app {

Document import_document(const importing::Model& model, const std::string& file);

}  // namespace poslab::app
