// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/version.hpp"

#include <fmt/format.h>
#include <tbb/version.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "git_commit.inc"
#include "poslab/base/json.hpp"
#include "poslab/plugin.h"
#include "poslab/results/writer.hpp"

namespace poslab::run {

std::string version() { return POSLAB_VERSION; }
std::string git_commit() { return poslab_git_commit; }
std::string build() { return version() + " " + git_commit(); }
std::string compiler() { return "g++ or compatible " __VERSION__; }
std::string compile_flags() { return POSLAB_COMPILE_FLAGS; }

namespace {

base::Json versions_json() {
  return {{"poslab", version()},
          {"boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"onetbb", fmt::format("{}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR)},
          {"hdf5", POSLAB_HDF5_VERSION},
          {"fmt", std::to_string(FMT_VERSION)}};
}

}  // namespace

std::string library_versions() { return base::json_text(versions_json()); }

std::string build_json() {
  const std::string arch = POSLAB_ARCH;
  return base::json_text({{"version", version()},
                          {"commit", git_commit()},
                          {"compiler", compiler()},
                          {"compile_flags", compile_flags()},
                          {"arch", arch.empty() ? "the compiler's default" : arch},
                          {"plugin_boundary", fmt::format("{}.{}", POSLAB_MAJOR, POSLAB_MINOR)},
                          {"results_schema", fmt::format("{}.{}", results::schema_version, results::schema_minor)},
                          {"libraries", versions_json()}},
                         1);
}

}  // namespace poslab::run
