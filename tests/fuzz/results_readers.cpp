// SPDX-License-Identifier: Apache-2.0
#include "results_readers.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "finding.hpp"
#include "poslab/base/error.hpp"
#include "poslab/results/compare.hpp"
#include "poslab/results/trained_weights.hpp"
#include "poslab/results/writer.hpp"
#include "sample.hpp"

// HDF5 guards its own structures with this sum, which a fuzzer would never get right. The library calls it through its
// symbol table, so that the program's definition comes first: here every sum is 0, when writing and when reading.
extern "C" std::uint32_t H5_checksum_metadata(const void* /*data*/, std::size_t /*size*/, std::uint32_t /*start*/) {
  return 0;
}

// HDF5 asks for much memory at each opening of a file, and leaks some of it when it refuses what it has half read.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:malloc_context_size=4:max_malloc_fill_size=0:quarantine_size_mb=8";
}

namespace poslab::fuzz {
namespace {

template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (const base::Error&) {
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    finding("an exception that is no refusal");
  }
}

// A few cells of the sample: the time of an input is what HDF5 takes for all that is in the file.
sample::Run few_cells() {
  sample::Run all = sample::make_run(), few = all;
  few.cells.clear(), few.outcomes.clear();
  for (std::size_t i = 0; i < all.cells.size(); i += 20) {
    few.cells.push_back(all.cells[i]);
    few.outcomes.push_back(all.outcomes[i]);
  }
  few.outcomes.front().record.trained({"copy", 10});
  few.outcomes.front().record.keep("scheme/table", {2, 2}, std::vector<double>{1, 2, 3, 4});
  return few;
}

}  // namespace

ScratchFile::ScratchFile() : path_((std::filesystem::temp_directory_path() / "poslab-fuzz-XXXXXX").string()) {
  file_ = mkstemp(path_.data());
  require(file_ >= 0, "mkstemp");
}

ScratchFile::~ScratchFile() { unlink(path_.c_str()); }

void ScratchFile::write(const void* data, std::size_t size) const {
  require(ftruncate(file_, 0) == 0, "ftruncate");
  require(pwrite(file_, data, size, 0) == static_cast<ssize_t>(size), "pwrite");
}

const std::string& good_bytes() {
  static const std::string bytes = [] {
    const sample::Directory directory;
    const sample::Run run = few_cells();
    run.write(directory / "good.h5");
    std::ifstream stream(directory / "good.h5", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  return bytes;
}

void read_results(const std::string& path, unsigned which) {
  static const ScratchFile& good = [] {
    static const ScratchFile file;
    file.write(good_bytes().data(), good_bytes().size());
    return std::ref(file);
  }();
  switch (which % 5) {
    case 0: return attempt([&] { results::compare_within_tolerance(good.path(), path); });
    case 1: return attempt([&] { results::compare_within_tolerance(path, good.path()); });
    case 2: return attempt([&] { results::compare_exact(path, good.path()); });
    case 3: return attempt([&] { results::read_trained(path); });
    default: return attempt([&] { results::read_dataset(path, "trained/cell_0/scheme.table"); });
  }
}

}  // namespace poslab::fuzz
