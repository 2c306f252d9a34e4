// SPDX-License-Identifier: Apache-2.0
// Files, groups and datasets by name.
#pragma once

#include <string>
#include <vector>

#include "h5/handle.hpp"

namespace poslab::results::h5 {

/// A new file whose bytes depend on nothing but what is written: no times, links and attributes in order of creation.
/// Closing it fails while any object in it is still open.
Handle create_file(const std::string& path);
Handle open_file(const std::string& path);
Handle open_for_change(const std::string& path);
void flush(const Handle& file);

Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
Handle open_dataset(hid_t parent, const std::string& name);
bool has_link(hid_t parent, const std::string& name);
bool is_dataset(hid_t parent, const std::string& name);
/// Names in a group, in order of creation (of name, where a file keeps no order).
std::vector<std::string> links(hid_t group);

}  // namespace poslab::results::h5
