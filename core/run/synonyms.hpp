// SPDX-License-Identifier: Apache-2.0
// The field's words for what poslab calls otherwise: where else would `poslab find NoPE` lead.
#pragma once

#include <string>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/run/find.hpp"

namespace poslab::run {

/// Other words for a thing that is declared; of a scheme with those for its family. `owner` as in Hit.
std::vector<std::string> synonyms_of(Hit::Kind kind, const std::string& name, const std::string& owner);
std::vector<std::string> synonyms_of(data::Family family);

/// The thing that each row of the list is about: "none", "base" of "rope"; for a test that all of them exist.
struct Renamed {
  Hit::Kind kind;
  std::string name, owner;
};
std::vector<Renamed> renamed();

}  // namespace poslab::run
