// SPDX-License-Identifier: Apache-2.0
// What children of this program do: commands for no people.
#pragma once

#include <string>
#include <vector>

namespace poslab::app {

/// `poslab worker`: the host starts it and speaks with it on a connection that only it can make. Throws UsageError.
int worker_command(const std::vector<std::string>& arguments);
/// With a file that may crash HDF5: says what the file holds.
int look_command(const std::vector<std::string>& arguments);
/// With an HDF5 file of weights, which may crash HDF5: hands the arrays to its parent.
int weights_command(const std::vector<std::string>& arguments);

}  // namespace poslab::app
