// SPDX-License-Identifier: Apache-2.0
// Any bytes as a results file. Mostly a test of libhdf5: what crashes inside of it is its own (fuzzing.md).
#include "results_readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const poslab::fuzz::ScratchFile file;
  file.write(data, size);
  poslab::fuzz::read_results(file.path(), size == 0 ? 0 : data[size - 1]);
  return 0;
}
