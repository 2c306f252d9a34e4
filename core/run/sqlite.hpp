// SPDX-License-Identifier: Apache-2.0
// SQLite's C interface with owners and errors: a connection, a statement.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "poslab/base/disk.hpp"

namespace poslab::run::sqlite {

/// What SQLite objects to: its result code, and its own words.
struct Problem : base::FileError {
  Problem(const std::string& file, int primary_code, const std::string& words);
  int code;  ///< primary result code: SQLITE_FULL, SQLITE_CORRUPT, ...
  bool is_corrupt() const { return code == SQLITE_CORRUPT || code == SQLITE_NOTADB; }
};

/// One that is the disk's.
struct DiskProblem : Problem, base::DiskTrouble {
  using Problem::Problem;
};

class Connection {
 public:
  /// `read` never changes what is stored, but finishes what a killed writer left half done, where it may.
  enum class Mode { write, read };
  Connection(const std::filesystem::path& path, Mode mode);
  void execute(const char* text) const;
  sqlite3* get() const { return handle_.get(); }
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_{nullptr, sqlite3_close};
};

/// One prepared statement. `step` is true while there is a row; a statement is ready again after `reset`.
class Statement {
 public:
  Statement(const Connection& connection, const char* text);
  Statement& bind(int place, std::string_view text);
  Statement& bind_bytes(int place, std::string_view bytes);  ///< not copied: must live until after `step`
  Statement& bind(int place, std::int64_t number);
  Statement& bind(int place, double number);
  bool step();
  void reset();
  std::string text(int column) const;
  std::string_view bytes(int column) const;  ///< until the next step
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }

 private:
  void check(int code) const;
  const Connection& connection_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> handle_{nullptr, sqlite3_finalize};
};

}  // namespace poslab::run::sqlite
