// SPDX-License-Identifier: Apache-2.0
// A scheme that cannot be had from the plugins at hand, breaks a rule of the boundary, or is asked for what it has not.
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

/// In this process the loader has given a plugin another library than it gets in a process of its own: one of the same
/// name that another plugin had brought.
struct LibrariesCollide : base::Error {
  LibrariesCollide(std::filesystem::path file, std::vector<std::string> alone, std::vector<std::string> here);
  std::filesystem::path file;
  std::vector<std::string> alone, here;  ///< libraries that it has only alone, and only here
};

/// What a plugin declares breaks a rule of plugin.h: in its table, or in an instance it made.
struct Malformed : base::Error {
  enum class What { table, instance };
  Malformed(What what, std::string rule);
  /// The same, said of a scheme.
  Malformed(const std::string& scheme, const Malformed& found);
  What declared;
  std::string rule;
};

/// A value that is none of a scheme's parameters, or that one of them does not take.
struct WrongParameter : base::Error {
  WrongParameter(std::string scheme, std::string parameter, const std::string& problem);
  std::string scheme, parameter;
};

/// A call that the caller put together wrongly: another operation, shape or number of arrays than the scheme has.
struct WrongCall : base::Error {
  WrongCall(std::string where, std::string problem);
  std::string where;  ///< `scheme "toy", bias`
  std::string problem;
};

}  // namespace poslab::host
