// SPDX-License-Identifier: Apache-2.0
// `poslab import`: what a model's configuration comes to, in words and as JSON.
#pragma once

#include <string>

#include "poslab/base/json.hpp"
#include "poslab/import/model.hpp"

namespace poslab::app {

std::string import_text(const importing::Model& model, const std::string& file);
/// Members: file, family, form, model, layers, kinds, used, assumed, not_understood, not_expressed, readers_differ,
/// refused_by_other, read_by_other.
base::Json import_json(const importing::Model& model, const std::string& file);

}  // namespace poslab::app
