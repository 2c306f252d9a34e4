// SPDX-License-Identifier: Apache-2.0
// A record is 16 hex digits of the SHA-256 of all that follows, and the members in order, lists of them packed.
#include <algorithm>
#include <string_view>

#include "poslab/base/find_by.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/journal/shard_journal.hpp"

namespace poslab::journal {
namespace {

using data::NotPacked;

constexpr std::size_t checksum_size = 16;  // hex digits
constexpr std::size_t max_cells = 1'000'000'000;

using PackedItems = std::vector<std::string>;

template <class Item>
PackedItems packed(const std::vector<Item>& items) {
  PackedItems all;
  for (const Item& item : items) all.push_back(data::pack(item));
  return all;
}

template <class Item>
std::vector<Item> unpacked(const PackedItems& all) {
  std::vector<Item> items;
  for (const std::string& bytes : all) items.push_back(data::unpack<Item>(bytes));
  return items;
}

// Nor what is usual, which changes no result: shards of earlier programs, which did not know it, go on with later ones.
std::vector<data::SchemeInfo> without_paths(std::vector<data::SchemeInfo> schemes) {
  const auto strip = [](data::SchemeInfo& scheme) {
    scheme.file.clear();
    for (data::Quantity& parameter : scheme.parameters) parameter.usual.clear(), parameter.role = data::Role::none;
  };
  for (data::SchemeInfo& scheme : schemes) {
    strip(scheme);
    for (data::SchemeInfo& part : scheme.parts) strip(part);
  }
  return schemes;
}

[[noreturn]] void contradiction(const std::string& problem) {
  throw NotPacked(NotPacked::Problem::contradiction, problem);
}

void require_consistent(const ShardRecord& record) {
  const auto& [index, count] = record.shard;
  if (count < 1 || count > data::max_shards || index < 1 || index > count) contradiction("its index is out of range");
  if (record.whole > max_cells) contradiction("its plan is too large");
  if (record.cells.size() != record.indices.size()) contradiction("its numbers of cells and indices differ");
  const bool increases = std::adjacent_find(record.indices.begin(), record.indices.end(),
                                            [](auto a, auto b) { return a >= b; }) == record.indices.end();
  if (!increases || (!record.indices.empty() && record.indices.back() >= record.whole))
    contradiction("the indices of its cells in the plan do not increase, or lie outside of it");
  for (const data::Cell& cell : record.cells) {
    if (!base::find_by(record.experiments, &data::ExperimentInfo::id, cell.experiment))
      contradiction("a cell is of the experiment \"" + cell.experiment + "\", which is not described");
    if (!base::find_by(record.schemes, &data::SchemeInfo::id, cell.variant.scheme))
      contradiction("a cell is of the scheme \"" + cell.variant.scheme + "\", which is not described");
  }
}

}  // namespace

std::string pack(const ShardRecord& record) {
  data::Values families, texts;
  for (const auto& [experiment, size] : record.families) families.set(experiment, static_cast<std::int64_t>(size));
  for (const auto& [name, text] : record.provenance) texts.set(name, text);
  const std::string bytes = data::bytes_of(
      record.shard.index, record.shard.count, record.title, record.study_hash, record.poslab, record.plan_hash,
      record.whole, data::pack(families), packed(record.experiments), packed(without_paths(record.schemes)),
      packed(record.expectations), packed(record.cells), record.indices, data::pack(texts));
  return base::sha256(bytes).substr(0, checksum_size) + bytes;
}

ShardRecord unpack_shard_record(std::string_view bytes) {
  if (bytes.size() < checksum_size) throw NotPacked(NotPacked::Problem::too_short);
  const std::string_view sealed = bytes.substr(checksum_size);
  if (base::sha256(sealed).compare(0, checksum_size, bytes.substr(0, checksum_size)) != 0)
    throw NotPacked(NotPacked::Problem::changed);
  ShardRecord record;
  std::string families, texts;
  PackedItems experiments, schemes, expectations, cells;
  data::read_all(sealed, record.shard.index, record.shard.count, record.title, record.study_hash, record.poslab,
                 record.plan_hash, record.whole, families, experiments, schemes, expectations, cells, record.indices,
                 texts);
  for (const auto& [experiment, size] : data::unpack<data::Values>(families))
    if (const auto* number = std::get_if<std::int64_t>(&size); number && *number >= 0)
      record.families[experiment] = static_cast<std::size_t>(*number);
  for (const auto& [name, value] : data::unpack<data::Values>(texts))
    if (const auto* text = std::get_if<std::string>(&value)) record.provenance[name] = *text;
  record.experiments = unpacked<data::ExperimentInfo>(experiments);
  record.schemes = unpacked<data::SchemeInfo>(schemes);
  record.expectations = unpacked<data::Expectation>(expectations);
  record.cells = unpacked<data::Cell>(cells);
  require_consistent(record);
  return record;
}

}  // namespace poslab::journal
