// SPDX-License-Identifier: Apache-2.0
#include "files/elf.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "poslab/base/regular_file.hpp"

namespace poslab::host {
namespace {

// ElfW(Ehdr) is the header of the class (32 or 64 bits) that this program itself has.
using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

// The header of the running program: what this machine and this build expect of a library.
Header own_header() {
  Header header{};
  const std::string bytes = base::RegularFile("/proc/self/exe").bytes_at(0, sizeof header);
  if (bytes.size() == sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386: return "x86";
    case EM_X86_64: return "x86-64";
    case EM_ARM: return "ARM";
    case EM_AARCH64: return "AArch64";
    case EM_RISCV: return "RISC-V";
    case EM_PPC64: return "PowerPC64";
    case EM_S390: return "S/390";
    default: return fmt::format("machine number {}", machine);
  }
}

std::string truncated(std::uint64_t size, std::uint64_t wanted) {
  return fmt::format("truncated: it has {} bytes of at least {}", size, wanted);
}

// The end of the last byte that header, section table or a segment lays claim to.
std::uint64_t declared_end(const base::RegularFile& library, const Header& header) {
  std::uint64_t end =
      std::max<std::uint64_t>(sizeof(Header), header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  if (header.e_shoff != 0)
    end = std::max<std::uint64_t>(end, header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Segment segment{};
    const std::string bytes = library.bytes_at(header.e_phoff + i * header.e_phentsize, sizeof segment);
    if (bytes.size() < sizeof segment) break;
    std::memcpy(&segment, bytes.data(), sizeof segment);
    if (segment.p_type == PT_LOAD) end = std::max<std::uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

std::string why_not_this_machine(const Header& header, const Header& own) {
  const auto* identity = header.e_ident;
  if (identity[EI_CLASS] != own.e_ident[EI_CLASS]) {
    const int bits = identity[EI_CLASS] == ELFCLASS32 ? 32 : 64;
    return fmt::format("a {}-bit library, but this program has {} bits", bits, bits == 32 ? 64 : 32);
  }
  if (identity[EI_DATA] != own.e_ident[EI_DATA]) return "built for the other byte order";
  if (header.e_machine != own.e_machine)
    return fmt::format("built for {}, but this machine is {}", machine_name(header.e_machine),
                       machine_name(own.e_machine));
  return "";
}

}  // namespace

std::string why_not_loadable(const std::filesystem::path& file) try {
  const base::RegularFile library(file.string());
  const std::uint64_t size = library.size();
  if (size == 0) return "not an ELF library: the file is empty";

  const std::string bytes = library.bytes_at(0, sizeof(Header));
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return "not an ELF library";
  if (bytes.size() < sizeof(Header)) return truncated(size, sizeof(Header));
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::string reason = why_not_this_machine(header, own_header()); !reason.empty()) return reason;
  if (header.e_type != ET_DYN) return "an ELF file, but not a shared library";
  if (header.e_phentsize != sizeof(Segment)) return "not an ELF library: its segment table is malformed";
  if (const std::uint64_t end = declared_end(library, header); end > size) return truncated(size, end);
  return "";
} catch (const base::FileError& problem) {
  return problem.problem;
}

}  // namespace poslab::host
