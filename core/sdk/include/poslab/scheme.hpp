// SPDX-License-Identifier: Apache-2.0
// The one include of a scheme: write a plain struct, then POSLAB_SCHEME(Struct). See writing-a-scheme.md.
#pragma once

#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "poslab/plugin.h"
#include "poslab/sdk/card.hpp"
#include "poslab/sdk/failure.hpp"
#include "poslab/sdk/functions.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/parameter.hpp"
#include "poslab/sdk/rows.hpp"
#include "poslab/sdk/table.hpp"
#include "poslab/sdk/tensor.hpp"
#include "poslab/sdk/tile.hpp"
#include "poslab/sdk/traits.hpp"
#include "poslab/sdk/trigonometry.hpp"
#include "poslab/sdk/variable.hpp"
#include "poslab/sdk/weight.hpp"

/// Exports the scheme: the one symbol of the plugin. At namespace scope, outside every namespace, once a plugin.
#define POSLAB_SCHEME(Scheme)                                                      \
  extern "C" {                                                                     \
  POSLAB_EXPORT extern const poslab_plugin poslab_plugin_v1;                       \
  constinit const poslab_plugin poslab_plugin_v1 = ::poslab::sdk::table<Scheme>(); \
  }
