// SPDX-License-Identifier: Apache-2.0
#include "sqlite.hpp"

#include <fmt/format.h>

namespace poslab::run::sqlite {

Problem::Problem(const std::string& file, int primary_code, const std::string& words)
    : base::FileError(file, words,
                      primary_code == SQLITE_FULL
                          ? "free some space and run the same command again: nothing that was reported done is lost"
                          : ""),
      code(primary_code) {}

Connection::Connection(const std::filesystem::path& path, bool read_only) : path_(path.string()) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(
      path_.c_str(), &handle,
      (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_FULLMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw Problem(path_, code & 0xff, handle ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
  sqlite3_busy_timeout(handle, 10'000);  // milliseconds: somebody reads while we write
}

void Connection::execute(const char* text) const {
  if (sqlite3_exec(handle_.get(), text, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Connection::fail() const {
  throw Problem(path_, sqlite3_errcode(handle_.get()) & 0xff, sqlite3_errmsg(handle_.get()));
}

Statement::Statement(const Connection& connection, const char* text) : connection_(connection) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v2(connection.get(), text, -1, &handle, nullptr) != SQLITE_OK) connection.fail();
  handle_.reset(handle);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) connection_.fail();
}

Statement& Statement::bind(int place, std::string_view text) {
  check(sqlite3_bind_text64(handle_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}
Statement& Statement::bind_bytes(int place, std::string_view bytes) {
  check(sqlite3_bind_blob64(handle_.get(), place, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}
Statement& Statement::bind(int place, std::int64_t number) {
  check(sqlite3_bind_int64(handle_.get(), place, number));
  return *this;
}
Statement& Statement::bind(int place, double number) {
  check(sqlite3_bind_double(handle_.get(), place, number));
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

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return text ? text : "";
}

std::string_view Statement::bytes(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  return {data, data ? static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column)) : 0};
}

}  // namespace poslab::run::sqlite
