// SPDX-License-Identifier: Apache-2.0
// What the tests of resuming share: a catalogue of one scheme and one experiment, cells of its plan.
#pragma once

#include "journals.hpp"
#include "poslab/data/catalogue.hpp"

namespace journals {

/// Scheme `rope` 2.0 in a file of hash `now`, experiment `uniqueness` 1.0.
inline data::Catalogue small_catalogue() {
  data::Catalogue catalogue;
  catalogue.schemes.resize(1);
  catalogue.schemes[0].id = "rope", catalogue.schemes[0].version = "2.0", catalogue.schemes[0].file_hash = "now";
  catalogue.experiments.resize(1);
  catalogue.experiments[0].id = "uniqueness", catalogue.experiments[0].version = "1.0";
  return catalogue;
}

/// Cell `cell-<repeat>` of that scheme and experiment, seed 7.
inline data::Cell planned(int repeat) {
  data::Cell one = cell(repeat);
  one.variant.scheme = "rope";
  one.seed = 7;
  return one;
}

/// By the code of small_catalogue().
inline const journal::Origin current{"now", "1.0", "2.0"};

}  // namespace journals
