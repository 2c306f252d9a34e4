// SPDX-License-Identifier: Apache-2.0
// Finding and opening plugins. A library is opened once and never closed: the process ends instead.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/data/catalogue.hpp"
#include "poslab/host/operations.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// Why a file was not taken as a plugin.
struct PluginRefused : base::Error {
  PluginRefused(std::filesystem::path file, const std::string& reason);
  std::filesystem::path file;
  std::string reason;
};

class PythonPlugin;

/// An opened library whose constant was read and found valid; or a Python file, in a process of its own.
class Plugin {
 public:
  /// Throws PluginRefused: neither an ELF library nor a .py file, symbol missing, other major or newer minor version
  /// (both named), short struct, malformed table (null names, reserved parameter names, default outside its range ...).
  static std::shared_ptr<const Plugin> open(const std::filesystem::path& file);

  const data::SchemeInfo& info() const { return info_; }
  /// Members beyond the plugin's own `size` read as zero. Variants are made by `create` below.
  const poslab_plugin& table() const { return table_; }
  /// As `create` of plugin.h.
  std::int32_t create(const poslab_value* values, const poslab_model* model, poslab_instance* instance,
                      poslab_error* error) const;

 private:
  Plugin() = default;
  void open_library(const std::filesystem::path& file);
  void open_python(const std::filesystem::path& file);
  data::SchemeInfo info_;
  poslab_plugin table_{};
  std::shared_ptr<const PythonPlugin> python_;  ///< null: a library
};

struct Refusal {
  std::filesystem::path file;
  std::string reason;
};

/// A scheme that two directories offer.
struct Shadowed {
  std::string scheme;
  std::filesystem::path taken, passed_over;  ///< files
};

/// Where plugins are looked for.
struct PluginDirectory {
  // NOLINTNEXTLINE(google-explicit-constructor): a path alone is a directory that somebody has named
  PluginDirectory(std::filesystem::path path_, bool is_named_ = true) : path(std::move(path_)), is_named(is_named_) {}
  bool operator==(const PluginDirectory&) const = default;
  std::filesystem::path path;
  bool is_named;  ///< with --plugins, by the one who runs this: then others may own it
};

/// The schemes that the plugins of a search path offer, and the files that were refused.
class Library {
 public:
  /// Opens a file, here or in another process, and says what it offers. Throws PluginRefused.
  using Opener = std::function<data::SchemeInfo(const std::filesystem::path&)>;

  /// Has every `*.so` of `directories`, and every `*.py` that declares a scheme, opened, in order of directory, then of
  /// name, and after them `files`, which studies name, under the same rules. A duplicate id in one directory, a
  /// refused file, an unreadable or world-writable directory becomes a Refusal; so does one, and a file, that somebody
  /// could exchange who is neither the user nor root nor an owner of this program, unless the directory is named: then
  /// it becomes a notice. The rest goes on.
  static Library scan(const std::vector<PluginDirectory>& directories, const Opener& open,
                      const std::vector<std::filesystem::path>& files = {});

  /// `explicit_directories` (--plugins), then those of POSLAB_PLUGIN_PATH (colon-separated), then the directory
  /// `../plugins` beside the executable (build tree), or `../lib/poslab/plugins` (installation). Where two plugins have
  /// the same id, the first is taken.
  static std::vector<PluginDirectory> search_path(const std::vector<std::filesystem::path>& explicit_directories);

  const std::vector<data::SchemeInfo>& schemes() const { return schemes_; }
  const std::vector<Refusal>& refusals() const { return refusals_; }
  const std::vector<Refusal>& notices() const { return notices_; }     ///< of what is used all the same
  const std::vector<Shadowed>& shadowed() const { return shadowed_; }  ///< by those of an earlier directory
  const data::SchemeInfo* find(const std::string& id) const;           ///< null if no plugin offers it
  const data::SchemeInfo& at(const std::string& id) const;             ///< throws base::Error with a did-you-mean

 private:
  std::vector<data::SchemeInfo> schemes_;
  std::vector<Refusal> refusals_, notices_;
  std::vector<Shadowed> shadowed_;
};

/// The plugins that this process has opened, each once, at its first use. Any thread.
class Plugins {
 public:
  /// Throws PluginRefused.
  std::shared_ptr<const Plugin> open(const std::filesystem::path& file);
  /// From now on `at` finds this scheme, in its file.
  void register_scheme(const data::SchemeInfo& scheme);
  /// Throws base::Error: not known, or its file or what it declares has changed since `register_scheme`; PluginRefused.
  std::shared_ptr<const Plugin> at(const std::string& id);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Plugin>> by_file_;
  std::map<std::string, data::SchemeInfo> known_;
};

/// A model as it crosses the C boundary.
poslab_model to_boundary(const Model& model);
/// The C values of `values` (complete, in declared order). Lists point into `values`, which must outlive them.
std::vector<poslab_value> to_boundary(const std::vector<data::Quantity>& declared, const data::Values& values);

}  // namespace poslab::host
