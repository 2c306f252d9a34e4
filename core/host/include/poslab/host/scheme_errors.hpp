// SPDX-License-Identifier: Apache-2.0
// A scheme that cannot be had from the plugins at hand.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"

namespace poslab::host {

/// No plugin offers it.
struct NoSuchScheme : base::Error {
  NoSuchScheme(std::string id, const std::vector<std::string>& offered);
  std::string id;
};

/// Its plugin is not what was looked at when the run began.
struct PluginChanged : base::Error {
  enum class What { file, declaration };
  PluginChanged(std::filesystem::path file, What what);
  std::filesystem::path file;
  What what_changed;
};

}  // namespace poslab::host
