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
  explicit Bytes(const std::filesystem::path& file) try {
    const base::RegularFile library(file);
    bytes_ = library.bytes_at(0, library.size());
  } catch (const base::FileError& problem) {
    throw Failed(problem.problem);
  }
  template <class Struct>
  Struct at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Struct)) throw Failed("no complete ELF library");
    Struct read;
    std::memcpy(&read, bytes_.data() + offset, sizeof read);
    return read;
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) throw Failed("no complete ELF library");
    return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
  }

 private:
  std::string bytes_;
};

bool is_offered(const ElfW(Sym) & symbol) {
  const unsigned binding = symbol.st_info >> 4U, visibility = symbol.st_other & 3U;
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

// Each section of that type, with where its strings lie.
template <class Visit>
void for_each_section(const Bytes& bytes, ElfW(Word) type, const Visit& visit) {
  const auto header = bytes.at<ElfW(Ehdr)>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw Failed("not an ELF library");
  const auto section = [&](std::uint64_t i) { return bytes.at<ElfW(Shdr)>(header.e_shoff + i * header.e_shentsize); };
  for (std::uint64_t i = 0; i < header.e_shnum; ++i)
    if (const auto found = section(i); found.sh_type == type) visit(found, section(found.sh_link).sh_offset);
}

template <class Entry, class Visit>
void for_each_entry(const Bytes& bytes, const ElfW(Shdr) & section, const Visit& visit) {
  for (std::uint64_t at = 0; at + sizeof(Entry) <= section.sh_size; at += sizeof(Entry))
    visit(bytes.at<Entry>(section.sh_offset + at));
}

}  // namespace

std::vector<std::string> exported_symbols(const std::filesystem::path& file) {
  const Bytes bytes(file);
  std::vector<std::string> names;
  for_each_section(bytes, SHT_DYNSYM, [&](const ElfW(Shdr) & symbols, std::uint64_t strings) {
    for_each_entry<ElfW(Sym)>(bytes, symbols, [&](const ElfW(Sym) & symbol) {
      if (is_offered(symbol)) names.push_back(bytes.text(strings + symbol.st_name));
    });
  });
  return names;
}

std::vector<std::string> library_search_path(const std::filesystem::path& file) {
  const Bytes bytes(file);
  std::vector<std::string> directories;
  for_each_section(bytes, SHT_DYNAMIC, [&](const ElfW(Shdr) & dynamic, std::uint64_t strings) {
    for_each_entry<ElfW(Dyn)>(bytes, dynamic, [&](const ElfW(Dyn) & entry) {
      if (entry.d_tag != DT_RUNPATH && entry.d_tag != DT_RPATH) return;
      std::istringstream list(bytes.text(strings + entry.d_un.d_val));
      for (std::string directory; std::getline(list, directory, ':');) directories.push_back(directory);
    });
  });
  return directories;
}

}  // namespace poslab::check
