// SPDX-License-Identifier: Apache-2.0
// A file of which a byte has changed is called damaged, whatever the byte; and one whose damage has a good checksum, as
// only a stranger makes it, ends no reader's patience.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "catch.hpp"
#include "h5/seal.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/output_content.hpp"
#include "poslab/results/stored_run.hpp"
#include "poslab/results/trained_weights.hpp"
#include "read/vetting.hpp"
#include "sample.hpp"
#include "thrown.hpp"

using namespace poslab;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

constexpr std::size_t of_seal = 80;

struct Whole {
  Whole() {
    sample::make_run().write(path);
    bytes = content_of(path);
  }
  std::string unsealed() const { return bytes.substr(0, bytes.size() - of_seal); }
  sample::Directory directory;
  std::string path = directory / "a.h5", other = directory / "b.h5", bytes;
};

}  // namespace

TEST_CASE("damage: a changed byte anywhere is told before anything is read") {
  const Whole whole;
  CHECK_NOTHROW(results::read_run(whole.path));
  std::mt19937 random(22);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = whole.bytes;
    const std::size_t at = below(bytes.size());
    const bool zeros = trial % 10 == 0;
    if (zeros)
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), std::min<std::size_t>(512, bytes.size() - at), '\0');
    if (!zeros) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    if (bytes == whole.bytes) continue;
    overwrite(whole.other, bytes);
    CAPTURE(at, zeros);
    REQUIRE(check::thrown([&] { static_cast<void>(results::read_run(whole.other)); }).kind == check::Kind::damaged);
  }
}

TEST_CASE("damage: every reader looks at the seal") {
  const Whole whole;
  std::string bytes = whole.bytes;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  overwrite(whole.other, bytes);
  CHECK(check::thrown([&] { static_cast<void>(results::read_output_content(whole.other)); }).kind ==
        check::Kind::damaged);
  CHECK(check::thrown([&] { static_cast<void>(results::read_trained(whole.other)); }).kind == check::Kind::damaged);
  CHECK(check::thrown([&] { static_cast<void>(results::read_dataset(whole.other, "uniqueness/min_distance")); }).kind ==
        check::Kind::damaged);
  CHECK(check::thrown([&] { static_cast<void>(results::compare_exact(whole.path, whole.other)); }).kind ==
        check::Kind::damaged);
  CHECK(check::thrown([&] { static_cast<void>(results::compare_within_tolerance(whole.other, whole.path)); }).kind ==
        check::Kind::damaged);
}

TEST_CASE("damage: cut short anywhere, a file is no results file, or still says the same") {
  const Whole whole;
  for (const std::size_t cut : {std::size_t{1}, of_seal - 1, of_seal + 1, std::size_t{500}}) {
    overwrite(whole.other, whole.bytes.substr(0, whole.bytes.size() - cut));
    CAPTURE(cut);
    CHECK_THROWS_AS(results::read_run(whole.other), base::FileError);
  }
  overwrite(whole.other, whole.unsealed());
  CHECK(results::compare_exact(whole.path, whole.other).equal());
}

TEST_CASE("damage: files without a seal are read: of an earlier poslab, and changed through HDF5 since") {
  const Whole whole;
  overwrite(whole.other, whole.unsealed());
  CHECK_NOTHROW(results::read_run(whole.other));
  {
    const hid_t file = H5Fopen(whole.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t made = H5Gcreate2(file, "notes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(made), H5Fclose(file);
  }
  CHECK_NOTHROW(results::read_run(whole.path));
}

TEST_CASE("damage: zeros in a heap of texts are refused, though HDF5 would never come back from them") {
  const Whole whole;
  const std::string heap("GCOL\1", 5);
  int heaps = 0;
  for (std::size_t at = whole.bytes.find(heap); at != std::string::npos; at = whole.bytes.find(heap, at + 1), ++heaps) {
    std::string bytes = whole.unsealed();
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 64, 512, '\0');
    bytes[at + 6] = static_cast<char>(heaps % 2);  // reserved: HDF5 does not look at it
    overwrite(whole.other, bytes);
    overwrite(whole.other, bytes + results::seal_of(whole.other));  // a stranger knows how checksums are made
    CAPTURE(at);
    CHECK_THROWS_WITH(results::read_run(whole.other), check::contains("an object whose size cannot be"));
  }
  CHECK(heaps > 2);
}

TEST_CASE("damage: heaps within heaps make no endless work") {
  const Whole whole;
  overwrite(whole.other, whole.unsealed());
  std::string heaps;
  for (std::uint64_t i = 0, count = 20000; i < count; ++i) {
    const std::uint64_t size = (count - i) * 16;
    heaps += std::string("GCOL\1\0\0\0", 8) + std::string(reinterpret_cast<const char*>(&size), sizeof size);
  }
  overwrite(whole.other, whole.unsealed() + heaps);
  CHECK(check::thrown([&] { static_cast<void>(results::vet_heaps(whole.other)); }).kind == check::Kind::damaged);
}
