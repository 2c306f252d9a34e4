// SPDX-License-Identifier: Apache-2.0
// SQLite's C interface with owners and exceptions: a connection, a statement.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "poslab/base/error.hpp"

namespace poslab::journal::sqlite {

/// An error that SQLite reports; of the kind `disk` where the disk causes it.
struct Problem : base::FileError {
  Problem(const std::string& file, int primary_code, const std::string& reason, Kind kind = Kind::file);
  int code;  ///< primary result code: SQLITE_FULL, SQLITE_CORRUPT, ...
  bool is_corrupt() const { return code == SQLITE_CORRUPT || code == SQLITE_NOTADB; }
};

class Connection {
 public:
  /// `read` never changes what is stored, but rolls back what a killed writer left half done, where it has permission.
  enum class Mode { write, read };
  Connection(const std::filesystem::path& path, Mode mode);
  void execute(const char* text) const;
  sqlite3* get() const { return handle_.get(); }
  [[noreturn]] void fail() const;

 private:
  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_{nullptr, sqlite3_close};
};

/// One prepared statement. Parameters have names, as `:id`; a name that is not in the statement is an error.
class Statement {
 public:
  Statement(const Connection& connection, const std::string& text);
  Statement& bind(const char* name, std::string_view text);
  Statement& bind(const char* name, std::int64_t number);
  Statement& bind(const char* name, double number);
  Statement& bind_bytes(const char* name, std::string_view bytes);  ///< not copied: must live until after `step`
  /// True while there is a row. After the last one, `reset` makes the statement ready again.
  bool step();
  void reset();
  std::string text(int column) const;
  std::string_view bytes(int column) const;  ///< until the next step
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
  double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
  int column(std::string_view name) const;  ///< precondition: the statement selects it

 private:
  int parameter(const char* name) const { return sqlite3_bind_parameter_index(handle_.get(), name); }  // 0: none
  void check(int code) const;
  const Connection& connection_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> handle_{nullptr, sqlite3_finalize};
};

}  // namespace poslab::journal::sqlite
