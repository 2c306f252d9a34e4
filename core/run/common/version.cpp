// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/version.hpp"

#include <fmt/format.h>
#include <tbb/version.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "git_commit.inc"
#include "poslab/base/json.hpp"

namespace poslab::run {

std::string version() { return POSLAB_VERSION; }
std::string git_commit() { return poslab_git_commit; }
std::string build() { return version() + " " + git_commit(); }
std::string compiler() { return "g++ or compatible " __VERSION__; }
std::string compile_flags() { return POSLAB_COMPILE_FLAGS; }

std::string library_versions() {
  const base::Json versions = {
      {"poslab", version()},
      {"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"onetbb", fmt::format("{}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR)},
      {"hdf5", POSLAB_HDF5_VERSION},
      {"fmt", std::to_string(FMT_VERSION)}};
  return base::json_text(versions);
}

}  // namespace poslab::run
