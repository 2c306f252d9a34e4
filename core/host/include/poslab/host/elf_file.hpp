// SPDX-License-Identifier: Apache-2.0
// What an ELF library says of itself, read from its file. Never from memory: whether the loader has made addresses of
// the offsets there depends on how the library was linked (`-z rodynamic`).
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "poslab/base/error.hpp"
#include "poslab/base/regular_file.hpp"

namespace poslab::host {

/// More than any plugin has: what is larger is not read, since its holes would be read as zeros for hours.
inline constexpr std::uint64_t max_library_bytes = std::uint64_t{1} << 30;

/// A file that is no complete ELF library of the class (32 or 64 bits) that this program has.
struct NotElf : base::Error {
  explicit NotElf(const std::string& problem);
};

class ElfFile {
 public:
  /// Throws NotElf, base::FileError; so do all functions.
  explicit ElfFile(const std::filesystem::path& file);

  const ElfW(Ehdr) & header() const { return header_; }
  std::uint64_t size() const { return file_.size(); }
  /// As the program headers have them.
  const std::vector<ElfW(Phdr)>& segments() const { return segments_; }

  /// The names of the libraries that the loader brings in with it: those that it needs, and those that it stands for
  /// or that stand for it (filters).
  std::vector<std::string> companions() const;
  /// The name by which others ask for it; empty: none.
  std::string own_name() const;
  /// Where the loader looks first for its companions (DT_RUNPATH, or DT_RPATH), directory by directory.
  std::vector<std::string> search_path() const;
  /// Defined dynamic symbols that others can see, in the file's order.
  std::vector<std::string> exported_symbols() const;

 private:
  template <class Entry>
  std::vector<Entry> table(std::uint64_t offset, std::uint64_t bytes) const;
  std::string text(std::uint64_t offset) const;
  std::uint64_t offset_of(std::uint64_t address) const;
  std::vector<std::string> dynamic_texts(const std::vector<ElfW(Sxword)>& tags) const;

  base::RegularFile file_;
  ElfW(Ehdr) header_{};
  std::vector<ElfW(Phdr)> segments_;
};

}  // namespace poslab::host
