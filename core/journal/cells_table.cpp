// SPDX-License-Identifier: Apache-2.0
#include "cells_table.hpp"

#include <fmt/format.h>

#include <chrono>

#include "poslab/base/hash.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"

namespace poslab::journal {

// `outcome` comes last: to read the others, SQLite need not walk over it. No index on `id`: the writer has all numbers
// in memory, and what does not exist cannot be damaged. The text is compared with that of a journal, byte for byte.
const char* const create_cells = R"(CREATE TABLE cells(
    number INTEGER PRIMARY KEY, id TEXT, experiment TEXT, scheme TEXT, variant TEXT, axes TEXT, repeat INTEGER,
    seed INTEGER, status TEXT, message TEXT, seconds REAL, finished INTEGER, plugin_hash TEXT, experiment_version TEXT,
    scheme_version TEXT, question TEXT, host TEXT, processor TEXT, checksum TEXT, outcome BLOB))";

namespace {

// The columns beside `number`, for writing and reading alike.
template <class Row, class Visit>
void for_each_column(Row& row, const Visit& visit) {
  visit("id", row.id);
  visit("experiment", row.experiment);
  visit("scheme", row.scheme);
  visit("variant", row.variant);
  visit("axes", row.axes);
  visit("repeat", row.repeat);
  visit("seed", row.seed);
  visit("status", row.status);
  visit("message", row.message);
  visit("seconds", row.seconds);
  visit("finished", row.finished);
  visit("plugin_hash", row.origin.plugin_hash);
  visit("experiment_version", row.origin.experiment_version);
  visit("scheme_version", row.origin.scheme_version);
  visit("question", row.question);
  visit("host", row.host);
  visit("processor", row.processor);
  visit("checksum", row.checksum);
  visit("outcome", row.outcome);
}

// "id, experiment, ...", each name after `prefix`.
std::string column_names(const char* prefix) {
  std::string names;
  const JournalRow row;
  for_each_column(row, [&](const char* name, const auto&) {
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", prefix, name);
  });
  return names;
}

void bind(sqlite::Statement& insert, const char* name, const std::string& text) { insert.bind(name, text); }
void bind(sqlite::Statement& insert, const char* name, std::int64_t number) { insert.bind(name, number); }
void bind(sqlite::Statement& insert, const char* name, double number) { insert.bind(name, number); }
void bind(sqlite::Statement& insert, const char* name, std::string_view bytes) { insert.bind_bytes(name, bytes); }

void read(const sqlite::Statement& rows, int column, std::string& text) { text = rows.text(column); }
void read(const sqlite::Statement& rows, int column, std::int64_t& number) { number = rows.integer(column); }
void read(const sqlite::Statement& rows, int column, double& number) { number = rows.real(column); }
void read(const sqlite::Statement& rows, int column, std::string_view& bytes) { bytes = rows.bytes(column); }

// Covers everything that conclusions are drawn from; the outcome has a checksum of its own at its beginning.
std::string checksum_of(const JournalRow& row) {
  return base::sha256(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", row.id, row.experiment,
                                  row.scheme, row.variant, row.axes, row.repeat, row.seed, row.status, row.message,
                                  row.origin.plugin_hash, row.origin.experiment_version, row.origin.scheme_version,
                                  row.question, row.outcome.substr(0, 16)))
      .substr(0, 16);
}

bool is_intact(const JournalRow& row) {
  if (row.checksum != checksum_of(row)) return false;
  try {
    return data::to_text(data::unpack<data::Outcome>(row.outcome).status) == row.status;
  } catch (const data::NotPacked&) {
    return false;
  }
}

data::Status status_of(const std::string& text) {
  for (const auto status : {data::Status::failed, data::Status::crashed, data::Status::timeout, data::Status::skipped})
    if (text == data::to_text(status)) return status;
  return data::Status::ok;
}

std::string outer_axes_json(const data::Cell& cell) {
  data::Values outer;
  for (const auto& [name, value] : cell.axes)
    if (!std::holds_alternative<std::vector<double>>(value)) outer.set(name, value);
  return outer.to_json();
}

}  // namespace

std::string question_of(const data::Cell& cell) {
  data::Cell asked = cell;
  asked.seed = 0;
  return data::identity(asked, "", "");
}

JournalRow row_of(const data::Cell& cell, const data::PackedOutcome& outcome, const Origin& origin,
                  const JournalMachine& here) {
  JournalRow row;
  row.id = cell.id;
  row.experiment = cell.experiment;
  row.scheme = cell.variant.scheme;
  row.variant = cell.variant.label;
  row.axes = outer_axes_json(cell);
  row.repeat = cell.repeat;
  row.seed = static_cast<std::int64_t>(cell.seed);
  row.status = data::to_text(outcome.outcome().status);
  row.message = outcome.outcome().message;
  row.seconds = outcome.outcome().seconds;
  row.finished = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  row.origin = origin;
  row.question = question_of(cell);
  row.host = here.host;
  row.processor = here.processor;
  row.outcome = outcome.bytes();
  row.checksum = checksum_of(row);
  return row;
}

std::string insert_row() {
  return "INSERT INTO cells(number, " + column_names("") + ") VALUES(:number, " + column_names(":") + ")";
}

void bind_row(sqlite::Statement& insert, const JournalRow& row, std::int64_t number) {
  insert.bind(":number", number);
  for_each_column(row, [&](const std::string& name, const auto& value) { bind(insert, (":" + name).c_str(), value); });
}

JournalContent content_of(const sqlite::Connection& connection) {
  JournalContent content;
  sqlite::Statement rows(connection, "SELECT " + column_names("") + ", number FROM cells ORDER BY number");
  const int number_column = rows.column("number");
  JournalRow row;
  while (rows.step()) {
    int column = 0;
    for_each_column(row, [&](const char*, auto& value) { read(rows, column++, value); });
    const std::int64_t number = rows.integer(number_column);
    const bool damaged = !is_intact(row);
    const std::string id = damaged && content.known.count(row.id) > 0 ? fmt::format("row {}", number) : row.id;
    content.known[id] = {number, status_of(row.status), row.origin, row.question, static_cast<std::uint64_t>(row.seed),
                         damaged};
  }
  return content;
}

}  // namespace poslab::journal
