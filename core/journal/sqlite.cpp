// SPDX-License-Identifier: Apache-2.0
#include "sqlite.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "poslab/base/regular_file.hpp"

namespace poslab::journal::sqlite {

namespace {

const char* what_to_do(const std::string& file, int code) {
  std::error_code none;
  if (code != SQLITE_CANTOPEN && !std::filesystem::exists(file, none))
    return "somebody has deleted it: what it held is lost, and the next run begins anew";
  switch (code) {
    case SQLITE_FULL: return "free some space and run the same command again: nothing that was reported done is lost";
    case SQLITE_IOERR:
      return "the disk did not keep what it was given; nothing that was reported done is lost: run the same command "
             "again, there or with the journal and the output moved to another disk";
    case SQLITE_BUSY:
      return "another program keeps the journal (an open sqlite3?): close it and run the same command again";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return "is there room, and are the file and the directory around it yours to write? Then run the same command "
             "again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return "the next run keeps it aside and begins a new one";
    default: return "";
  }
}

// What SQLite reports, and the system's reason where it knows one.
std::string reason_of(sqlite3* handle) {
  const int code = sqlite3_extended_errcode(handle), cause = sqlite3_system_errno(handle);
  if (code == SQLITE_READONLY_ROLLBACK)
    return "a run was cut off while it wrote, and only who may write here can look at it now";
  if (code == SQLITE_READONLY_DBMOVED)
    return "was moved, replaced or deleted while the run wrote it: put it back, or what was done runs again";
  std::string reason = sqlite3_errmsg(handle);
  if (((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN) && cause != 0 && cause != ENOENT)
    reason += ": " + std::generic_category().message(cause);
  if (code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC) reason += " (fsync failed)";
  return reason;
}

// If SQLite cannot create a file it tries to read it, and on a full disk reports that there is no such file. The
// directory exists: the lock file is in it.
bool is_disk_error(int code, int cause) {
  const int primary = code & 0xff;
  return primary == SQLITE_FULL || primary == SQLITE_IOERR ||
         (primary == SQLITE_CANTOPEN && (base::is_disk_error(cause) || cause == ENOENT));
}

[[noreturn]] void raise(const std::string& file, int code, sqlite3* handle) {
  const std::string reason = handle ? reason_of(handle) : sqlite3_errstr(code);
  const bool of_disk = is_disk_error(code, handle ? sqlite3_system_errno(handle) : 0);
  throw Problem(file, code & 0xff, reason, of_disk ? Problem::Kind::disk : Problem::Kind::file);
}

// A side file of several databases ends with the name of a file that rolling back may delete, and with this mark. Those
// of a journal are of one database, so another hand has written such a one.
void require_own_side_file(const std::string& path) {
  constexpr std::string_view mark = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  std::string end;
  try {
    const base::RegularFile file(path);
    if (file.size() >= mark.size()) end = file.bytes_at(file.size() - mark.size(), mark.size());
  } catch (const base::FileError&) {  // there is none, or SQLite cannot read it either
  }
  if (end == mark)
    throw base::FileError(path, "names a file that SQLite might delete, and is not of poslab", "remove it");
}

}  // namespace

Problem::Problem(const std::string& file, int primary_code, const std::string& reason, Kind of_kind)
    : base::FileError(file, reason, what_to_do(file, primary_code), of_kind), code(primary_code) {}

Connection::Connection(const std::filesystem::path& path, Mode mode) : path_(path.string()) {
  for (const char* suffix : {"", "-journal", "-wal", "-shm"})  // SQLite opens these, and waits for the writer of a FIFO
    base::require_regular_file(path_ + suffix, "a journal would be: remove it, or choose another output with -o");
  require_own_side_file(path_ + "-journal");
  const auto open_with = [&](int flags) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &handle, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
    handle_.reset(handle);
    return code;
  };
  // Without permission to write, SQLite falls back to reading.
  const int code = open_with(SQLITE_OPEN_READWRITE | (mode == Mode::write ? SQLITE_OPEN_CREATE : 0));
  if (code != SQLITE_OK) raise(path_, code, handle_.get());
  sqlite3_busy_timeout(handle_.get(), 10'000);  // milliseconds: for a reader while we write, or the other way round
  if (mode == Mode::read) execute("PRAGMA query_only = ON");
}

void Connection::execute(const char* text) const {
  if (sqlite3_exec(handle_.get(), text, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Connection::fail() const { raise(path_, sqlite3_errcode(handle_.get()), handle_.get()); }

Statement::Statement(const Connection& connection, const std::string& text) : connection_(connection) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v2(connection.get(), text.c_str(), -1, &handle, nullptr) != SQLITE_OK) connection.fail();
  handle_.reset(handle);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) connection_.fail();
}

Statement& Statement::bind(const char* name, std::string_view text) {
  check(sqlite3_bind_text64(handle_.get(), parameter(name), text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_bytes(const char* name, std::string_view bytes) {
  check(sqlite3_bind_blob64(handle_.get(), parameter(name), bytes.data(), bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind(const char* name, std::int64_t number) {
  check(sqlite3_bind_int64(handle_.get(), parameter(name), number));
  return *this;
}

Statement& Statement::bind(const char* name, double number) {
  check(sqlite3_bind_double(handle_.get(), parameter(name), number));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    sqlite3_reset(handle_.get());
    connection_.fail();
  }
  return code == SQLITE_ROW;
}

void Statement::reset() { sqlite3_reset(handle_.get()); }

int Statement::column(std::string_view name) const {
  const int columns = sqlite3_column_count(handle_.get());
  for (int column = 0; column < columns; ++column)
    if (name == sqlite3_column_name(handle_.get(), column)) return column;
  throw base::Error(fmt::format("a statement has no column {}", name));
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))) : "";
}

std::string_view Statement::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  return {data, data ? static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)) : 0};
}

}  // namespace poslab::journal::sqlite
