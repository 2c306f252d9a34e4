// SPDX-License-Identifier: Apache-2.0
// The plugins of tests/faults, and directories to put them into.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace poslab::test {

inline std::filesystem::path fault(const std::string& name) {
  return std::filesystem::path(POSLAB_PLUGIN_DIR).parent_path() / "faults" / name / (name + ".so");
}

/// A new, empty directory that goes away with its owner.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string path = (std::filesystem::temp_directory_path() / "poslab-host-XXXXXX").string();
    path_ = ::mkdtemp(path.data());
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path add(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }
  std::filesystem::path add_fault(const std::string& name, const std::string& as) const {
    std::filesystem::copy_file(fault(name), path_ / as);
    return path_ / as;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace poslab::test
