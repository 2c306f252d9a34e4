// SPDX-License-Identifier: Apache-2.0
// The table of plugin.h for a Python file: what a shared library has as constants is owned here, and its operations ask
// the file's process.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "poslab/plugin.h"
#include "python/server.hpp"

namespace poslab::host {

class PythonPlugin {
 public:
  /// Runs the file. Throws base::Error with what is wrong with it.
  explicit PythonPlugin(const std::filesystem::path& file);

  /// As the exported constant of a library. Its `create` fails: it has no way to say whose it is.
  const poslab_plugin& table() const { return table_; }
  const std::vector<data::LinkedLibrary>& sources() const { return server_->sources(); }
  /// As `create` of plugin.h; `destroy` of the table ends what it makes.
  std::int32_t create(const poslab_value* values, const poslab_model* model, poslab_instance* instance,
                      poslab_error* error) const;

 private:
  const char* kept(const std::string& text);
  const std::shared_ptr<PythonServer> server_;
  std::deque<std::string> texts_;
  std::deque<std::vector<const char*>> choices_;
  std::deque<std::vector<double>> lists_;
  std::deque<poslab_parameter> parameters_;
  std::vector<const poslab_parameter*> parameter_pointers_;
  std::vector<poslab_operation_pair> operations_;
  poslab_plugin table_{};
};

/// What `self` of an instance points to.
struct PythonInstance {
  const std::shared_ptr<PythonServer> server;
  const std::uint32_t number;
  const std::string creation;  ///< the request that makes it
  std::deque<std::string> texts;
  std::deque<poslab_weight> weights;
  std::vector<const poslab_weight*> weight_pointers;
  std::vector<double> inverse_frequency;
};

/// The functions of every Python file's operations, which find it by `self`.
const std::vector<poslab_operation_pair>& python_operations();

}  // namespace poslab::host
