// SPDX-License-Identifier: Apache-2.0
#include "files/plugin_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/host/elf_file.hpp"

namespace poslab::host {
namespace {

using Header = ElfW(Ehdr);

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

// The end of the last byte that header, section table or a segment lays claim to.
std::uint64_t declared_end(const ElfFile& library) {
  const Header& header = library.header();
  std::uint64_t end =
      std::max<std::uint64_t>(sizeof(Header), header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  if (header.e_shoff != 0)
    end = std::max<std::uint64_t>(end, header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize);
  for (const ElfW(Phdr) & segment : library.segments())
    if (segment.p_type == PT_LOAD) end = std::max<std::uint64_t>(end, segment.p_offset + segment.p_filesz);
  return end;
}

std::optional<base::Refusal> why_not_this_machine(const Header& header, const Header& own) {
  const auto* identity = header.e_ident;
  if (identity[EI_CLASS] != own.e_ident[EI_CLASS]) {
    const int bits = identity[EI_CLASS] == ELFCLASS32 ? 32 : 64;
    return fmt::format("a {}-bit library, but this program has {} bits", bits, bits == 32 ? 64 : 32);
  }
  if (identity[EI_DATA] != own.e_ident[EI_DATA]) return "built for the other byte order";
  if (header.e_machine != own.e_machine)
    return fmt::format("built for {}, but this machine is {}", machine_name(header.e_machine),
                       machine_name(own.e_machine));
  return std::nullopt;
}

}  // namespace

std::string truncated_text(std::uint64_t size, std::uint64_t wanted) {
  return fmt::format("truncated: it has {} bytes of at least {}", size, wanted);
}

std::optional<base::Refusal> why_not_source(const std::filesystem::path& file) try {
  constexpr std::uint64_t most = 1 << 20;
  const std::uint64_t size = base::RegularFile(file.string()).size();
  if (size <= most) return std::nullopt;
  return fmt::format("it has {}, and no Python file of a scheme has more than {}",
                     base::human_bytes(static_cast<double>(size)), base::human_bytes(static_cast<double>(most)));
} catch (const base::FileError& problem) {
  return problem.problem;
}

std::optional<base::Refusal> why_not_loadable(const std::filesystem::path& file) try {
  const std::uint64_t size = base::RegularFile(file.string()).size();
  if (size == 0) return "not an ELF library: the file is empty";
  if (size > max_library_bytes)
    return fmt::format("it has {}, and no plugin has more than {}", base::human_bytes(static_cast<double>(size)),
                       base::human_bytes(static_cast<double>(max_library_bytes)));
  const ElfFile library(file);
  const Header& header = library.header();
  // The header of the running program: what this machine and this build expect of a library.
  if (auto refusal = why_not_this_machine(header, ElfFile("/proc/self/exe").header())) return refusal;
  if (header.e_type != ET_DYN) return "an ELF file, but not a shared library";
  if (header.e_phentsize != sizeof(ElfW(Phdr))) return "not an ELF library: its segment table is malformed";
  if (const std::uint64_t end = declared_end(library); end > size) return truncated_text(size, end);
  return std::nullopt;
} catch (const NotElf& problem) {
  return problem.what();
} catch (const base::FileError& problem) {
  return problem.problem;
}

}  // namespace poslab::host
