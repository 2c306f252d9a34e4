// SPDX-License-Identifier: Apache-2.0
// What the keys of a configuration say about rotation, as the parameters of `rope`.
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "families.hpp"

namespace poslab::importing {

/// How the layers of a ladder rotate, as a reader of one form has it.
struct Rotation {
  double base = 1e4;
  std::int64_t width = 0;     ///< R, the channels that rotate
  double part = 1;            ///< of a head: R / K, where no key says R itself
  std::string scaling;        ///< "default", "llama3"; as the configuration calls it
  std::optional<Keys> table;  ///< where the parameters of the scaling are
  bool in_a_layers_table = false;
};

/// Nothing where the configuration says that these layers do not rotate. `of_all` says that a table without layer types
/// is for this ladder.
std::optional<Rotation> rotation_of(const Reading& reading, const Ladder& ladder, std::int64_t head_width, bool of_all);

/// The parameters of `rope`: base, style, rotary_width, scaling and its parameters.
data::Values rope_parameters(const Reading& reading, const Rotation& rotation, std::int64_t head_width);

/// Layers without positions.
LayerKind no_positions(const std::string& name, const Sizes& sizes);
/// Null: layers of this type do not rotate.
const Ladder* ladder_of(const Family& family, const std::string& type);

/// The type of each layer by `layer_types`, or by the family's interval.
std::vector<std::string> layer_types(const Reading& reading);
/// Adds kinds and layers by type. `kind_of` makes the kind of a type.
template <class KindOf>
void add_layers(Model& model, const std::vector<std::string>& types, const KindOf& kind_of) {
  std::map<std::string, std::size_t> known;  // kinds by type
  for (const std::string& type : types) {
    const auto [found, is_new] = known.emplace(type, 0);
    if (is_new) {
      LayerKind kind = kind_of(type);
      const auto alike = std::find_if(model.kinds.begin(), model.kinds.end(), [&](const LayerKind& other) {
        return other.scheme == kind.scheme && other.set == kind.set && other.head_width == kind.head_width;
      });  // types that encode alike are one kind
      found->second = static_cast<std::size_t>(alike - model.kinds.begin());
      if (alike == model.kinds.end()) model.kinds.push_back(std::move(kind));
    }
    model.kind_of_layer.push_back(found->second);
  }
}

}  // namespace poslab::importing
