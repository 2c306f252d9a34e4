// SPDX-License-Identifier: Apache-2.0
#include "spoilt_file.hpp"

#include "catch.hpp"
#include "h5/handle.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/output_content.hpp"

namespace poslab::sample {

std::string SpoiltFile::refusal(const std::function<void(hid_t file)>& change) {
  {
    const results::h5::Silence silence;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    REQUIRE(H5Fclose(file) >= 0);
  }
  return refusal();
}

std::string SpoiltFile::refusal() {
  std::string reason;
  try {
    results::read_output_content(path);
    results::compare_exact(path, path);
    results::compare_within_tolerance(path, path);
  } catch (const base::FileError& refused) {
    reason = refused.what();
    CHECK_THAT(reason, check::starts_with(path + ": "));
  }
  return reason;
}

void add(hid_t file, const char* name, hid_t type, const Shape& shape, const std::function<void(hid_t)>& prepare) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  prepare(list);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  REQUIRE(made >= 0);
  H5Dclose(made), H5Sclose(space), H5Pclose(list);
}

void replace(hid_t file, const char* name, const Shape& shape, const std::function<void(hid_t)>& prepare) {
  REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  add(file, name, H5T_IEEE_F64LE, shape, prepare);
}

void in_chunks(hid_t list, const Shape& chunk) { H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()); }

}  // namespace poslab::sample
