// SPDX-License-Identifier: Apache-2.0
#include "read/column_reader.hpp"

#include <fmt/format.h>

#include "h5/bounds.hpp"
#include "read/results_file.hpp"

namespace poslab::results {

std::vector<std::string> ColumnReader::texts(const char* name) {
  std::vector<std::string> items = results::texts(group_, name);
  check_size(items.size(), name);
  return items;
}

std::vector<double> ColumnReader::numbers(const char* name) {
  std::vector<double> items = results::numbers(group_, name);
  check_size(items.size(), name);
  return items;
}

std::vector<data::Values> ColumnReader::tables(const char* name) {
  std::vector<data::Values> items;
  for (const std::string& json : texts(name)) {
    std::optional<data::Values> values = data::Values::from_json(json);
    if (!values) h5::damaged(group_, fmt::format("has a {} that is no JSON of names and values", name));
    items.push_back(*std::move(values));
  }
  return items;
}

void ColumnReader::damaged(const char* name, double x) const {
  h5::damaged(group_, fmt::format("has a {} that is {}", name, x));
}

void ColumnReader::check_size(std::size_t size, const char* name) {
  if (size_ == unknown) size_ = size;
  if (size != size_) h5::damaged(group_, fmt::format("has a {} of another length", name));
}

}  // namespace poslab::results
