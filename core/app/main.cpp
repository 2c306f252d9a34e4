// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <Eigen/Core>

#include "poslab/app/commands.hpp"

int main(int count, char** words) {
  // Large arrays come and go with every cell: keeping their pages saves the system from clearing them each time.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  // Eigen sizes its blocks by the caches that it finds: fixed, so that no result depends on them.
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
  return poslab::app::main_program({words + 1, words + count});
}
