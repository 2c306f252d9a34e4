// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/version.hpp"

#include <fmt/format.h>
#include <tbb/version.h>
#include <Eigen/Core>
#include <boost/version.hpp>

#include "git_commit.inc"

namespace poslab::app {

std::string version() { return POSLAB_VERSION; }
std::string git_commit() { return poslab_git_commit; }
std::string compiler() { return "g++ or compatible " __VERSION__; }
std::string compile_flags() { return POSLAB_COMPILE_FLAGS; }

std::string library_versions() {
  return fmt::format(
      R"({{"poslab": "{}", "boost": "{}.{}.{}", "eigen": "{}.{}.{}", "onetbb": "{}.{}", "hdf5": "{}", "fmt": "{}"}})",
      version(), BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, EIGEN_WORLD_VERSION,
      EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, TBB_VERSION_MAJOR, TBB_VERSION_MINOR, POSLAB_HDF5_VERSION, FMT_VERSION);
}

}  // namespace poslab::app
