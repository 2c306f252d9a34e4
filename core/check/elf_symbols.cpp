// SPDX-License-Identifier: Apache-2.0
#include "elf_symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <sstream>

#include "failure.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::check {
namespace {

class Bytes {
 public:
  explicit Bytes(const std::filesystem::path& file) try : file_(file) {
    const base::RegularFile library(file_);
    bytes_ = library.bytes_at(0, library.size());
  } catch (const base::FileError& problem) {
    throw NotALibrary(file, problem.problem);
  }
  template <class Struct>
  Struct at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Struct))
      throw NotALibrary(file_, "no complete ELF library");
    Struct read;
    std::memcpy(&read, bytes_.data() + offset, sizeof read);
    return read;
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) throw NotALibrary(file_, "no complete ELF library");
    return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
  }

 private:
  std::string file_;
  std::string bytes_;
};

bool is_offered(const ElfW(Sym) & symbol) {
  const unsigned binding = symbol.st_info >> 4U, visibility = symbol.st_other & 3U;
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

std::vector<std::string> exported_symbols(const std::filesystem::path& file) {
  const Bytes bytes(file);
  const auto header = bytes.at<ElfW(Ehdr)>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw NotALibrary(file, "not an ELF library");
  const auto section = [&](std::uint64_t i) { return bytes.at<ElfW(Shdr)>(header.e_shoff + i * header.e_shentsize); };
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto symbols = section(i);
    if (symbols.sh_type != SHT_DYNSYM) continue;
    const std::uint64_t strings = section(symbols.sh_link).sh_offset;
    for (std::uint64_t at = 0; at + sizeof(ElfW(Sym)) <= symbols.sh_size; at += sizeof(ElfW(Sym))) {
      const auto symbol = bytes.at<ElfW(Sym)>(symbols.sh_offset + at);
      if (is_offered(symbol)) names.push_back(bytes.text(strings + symbol.st_name));
    }
  }
  return names;
}

std::vector<std::string> library_search_path(const std::filesystem::path& file) {
  const Bytes bytes(file);
  const auto header = bytes.at<ElfW(Ehdr)>(0);
  const auto section = [&](std::uint64_t i) { return bytes.at<ElfW(Shdr)>(header.e_shoff + i * header.e_shentsize); };
  std::vector<std::string> places;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto dynamic = section(i);
    if (dynamic.sh_type != SHT_DYNAMIC) continue;
    const std::uint64_t strings = section(dynamic.sh_link).sh_offset;
    for (std::uint64_t at = 0; at + sizeof(ElfW(Dyn)) <= dynamic.sh_size; at += sizeof(ElfW(Dyn))) {
      const auto entry = bytes.at<ElfW(Dyn)>(dynamic.sh_offset + at);
      if (entry.d_tag != DT_RUNPATH && entry.d_tag != DT_RPATH) continue;
      std::istringstream list(bytes.text(strings + entry.d_un.d_val));
      for (std::string place; std::getline(list, place, ':');) places.push_back(place);
    }
  }
  return places;
}

}  // namespace poslab::check
