// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/elf_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "files/plugin_file.hpp"
#include "poslab/base/search_path.hpp"

namespace poslab::host {
namespace {

constexpr std::size_t max_linked_name_bytes = 4096;  // of a library or a symbol; what is longer is cut

bool is_offered(const ElfW(Sym) & symbol) {
  const unsigned binding = symbol.st_info >> 4U, visibility = symbol.st_other & 3U;
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

NotElf::NotElf(const std::string& problem) : Error(problem) {}

ElfFile::ElfFile(const std::filesystem::path& file) : file_(file.string()) {
  const std::string bytes = file_.bytes_at(0, sizeof header_);
  if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) throw NotElf("not an ELF library");
  if (bytes.size() < sizeof header_) throw NotElf(truncated_text(size(), sizeof header_));
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (header_.e_phentsize == sizeof(ElfW(Phdr)))
    segments_ = table<ElfW(Phdr)>(header_.e_phoff, std::uint64_t{header_.e_phnum} * header_.e_phentsize);
}

// As many entries as lie in the file.
template <class Entry>
std::vector<Entry> ElfFile::table(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset >= size()) return {};
  const std::string read = file_.bytes_at(offset, std::min({bytes, size() - offset, max_library_bytes}));
  std::vector<Entry> entries(read.size() / sizeof(Entry));
  if (!entries.empty()) std::memcpy(entries.data(), read.data(), entries.size() * sizeof(Entry));
  return entries;
}

std::string ElfFile::text(std::uint64_t offset) const {
  if (offset >= size()) throw NotElf("no complete ELF library: a name lies beyond its end");
  const std::string bytes = file_.bytes_at(offset, max_linked_name_bytes);
  return bytes.substr(0, strnlen(bytes.data(), bytes.size()));
}

// Where in the file lies what is loaded to `address`.
std::uint64_t ElfFile::offset_of(std::uint64_t address) const {
  for (const ElfW(Phdr) & segment : segments_)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  throw NotElf("no complete ELF library: its names are in none of its segments");
}

// The texts of all dynamic entries of these kinds.
std::vector<std::string> ElfFile::dynamic_texts(const std::vector<ElfW(Sxword)>& tags) const {
  std::vector<ElfW(Dyn)> entries;
  for (const ElfW(Phdr) & segment : segments_)
    if (segment.p_type == PT_DYNAMIC) entries = table<ElfW(Dyn)>(segment.p_offset, segment.p_filesz);
  entries.erase(std::find_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.d_tag == DT_NULL; }),
                entries.end());
  const auto strings =
      std::find_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.d_tag == DT_STRTAB; });
  std::vector<std::string> texts;
  for (const ElfW(Dyn) & entry : entries)
    if (std::find(tags.begin(), tags.end(), entry.d_tag) != tags.end() && strings != entries.end())
      texts.push_back(text(offset_of(strings->d_un.d_ptr) + entry.d_un.d_val));
  return texts;
}

std::vector<std::string> ElfFile::companions() const { return dynamic_texts({DT_NEEDED, DT_AUXILIARY, DT_FILTER}); }

std::string ElfFile::own_name() const {
  const std::vector<std::string> names = dynamic_texts({DT_SONAME});
  return names.empty() ? "" : names.front();
}

std::vector<std::string> ElfFile::search_path() const {
  std::vector<std::string> directories;
  for (const std::string& path : dynamic_texts({DT_RUNPATH, DT_RPATH}))
    if (!path.empty())  // which the loader passes over; an empty entry of a path it does not
      for (std::string& directory : base::entries_in(path)) directories.push_back(std::move(directory));
  return directories;
}

std::vector<std::string> ElfFile::exported_symbols() const {
  if (header_.e_shentsize != sizeof(ElfW(Shdr))) return {};
  const auto sections = table<ElfW(Shdr)>(header_.e_shoff, std::uint64_t{header_.e_shnum} * header_.e_shentsize);
  std::vector<std::string> names;
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) throw NotElf("no complete ELF library: its symbols have no names");
    for (const ElfW(Sym) & symbol : table<ElfW(Sym)>(section.sh_offset, section.sh_size))
      if (is_offered(symbol)) names.push_back(text(sections[section.sh_link].sh_offset + symbol.st_name));
  }
  return names;
}

}  // namespace poslab::host
