// SPDX-License-Identifier: Apache-2.0
// The plugins of tests/faults, and directories to put them into.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "scratch.hpp"

namespace poslab::test {

inline std::filesystem::path fault(const std::string& name) {
  return std::filesystem::path(POSLAB_PLUGIN_DIR).parent_path() / "faults" / name / (name + ".so");
}

/// A new, empty directory that goes away with its owner.
class TemporaryDirectory {
 public:
  const std::filesystem::path& path() const { return scratch_.path; }
  std::filesystem::path add(const std::string& name, const std::string& bytes) const {
    std::ofstream(scratch_ / name, std::ios::binary) << bytes;
    return scratch_ / name;
  }
  std::filesystem::path add_fault(const std::string& name, const std::string& as) const {
    std::filesystem::copy_file(fault(name), scratch_ / as);
    return scratch_ / as;
  }

 private:
  check::Scratch scratch_;
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace poslab::test
