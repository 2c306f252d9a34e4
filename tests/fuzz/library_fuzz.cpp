// SPDX-License-Identifier: Apache-2.0
// What is read of a library without the dynamic loader, before that opens it and after: any bytes, in a file in memory.
#include <sys/mman.h>
#include <unistd.h>

#include "files/plugin_file.hpp"
#include "finding.hpp"
#include "poslab/host/elf_file.hpp"

namespace {

const std::string& file_of(const unsigned char* data, std::size_t size) {
  static const int file = memfd_create("library", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  poslab::fuzz::require(ftruncate(file, 0) == 0, "memfd");
  poslab::fuzz::require(pwrite(file, data, size, 0) == static_cast<ssize_t>(size), "memfd");
  return path;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string& file = file_of(data, size);
  const auto refusal = poslab::host::why_not_loadable(file);
  poslab::fuzz::require(!refusal || refusal->reason.find('\n') == std::string::npos, "a reason of several lines");
  for (const auto part : {&poslab::host::ElfFile::companions, &poslab::host::ElfFile::search_path,
                          &poslab::host::ElfFile::exported_symbols})
    try {
      (poslab::host::ElfFile(file).*part)();
    } catch (const poslab::host::NotElf&) {  // most are not
    }
  return 0;
}
