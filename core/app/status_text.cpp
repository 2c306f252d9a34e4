// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/status_text.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "poslab/app/text_table.hpp"
#include "poslab/base/text.hpp"
#include "poslab/base/value.hpp"

namespace poslab::app {
namespace {

void add(CellCounts& sum, const CellCounts& more) {
  sum.planned += more.planned, sum.ok += more.ok, sum.failed += more.failed, sum.crashed += more.crashed;
  sum.timeout += more.timeout, sum.skipped += more.skipped, sum.left += more.left;
  sum.complete = sum.complete && more.complete;
}

CellCounts counts_of(const run::JournalStatus& s) {
  return {s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, s.left(), s.is_finished()};
}

CellCounts counts_of(const LookedWay& way) {
  CellCounts sum;
  for (const LookedJournal& one : way.looked) add(sum, counts_of(one.status));
  sum.complete = sum.complete && way.way.missing.empty() && way.unreadable.empty();
  return sum;
}

// Results files that were begun in several ways: their ways have the same cells, so no sum goes over them.
std::set<std::string> begun_in_several_ways(const std::vector<LookedWay>& all) {
  std::set<std::string> once, again;
  for (const auto& [way, looked, unreadable] : all)
    if (!once.insert(way.output.lexically_normal().string()).second)
      again.insert(way.output.lexically_normal().string());
  return again;
}

std::string words_of(const run::JournalStatus& status) {
  if (!status.begun) return status.writer.empty() ? "ended before it began" : "being planned by " + status.writer;
  if (status.writer.empty()) return status.left() == 0 ? "complete" : "stopped: nobody writes it";
  std::string text = "written by " + status.writer;
  if (status.rate > 0)
    text += fmt::format(", {:.3g} cells/s, {} left if they go on like this", status.rate,
                        base::human_seconds(status.seconds_left()));
  return text;
}

std::vector<std::vector<std::string>> table_of(const std::vector<LookedWay>& all) {
  std::vector<std::vector<std::string>> rows{
      {"journal", "planned", "ok", "failed", "crashed", "timeout", "skipped", "left"}};
  const auto row = [&](const std::string& name, const CellCounts& s) {
    rows.push_back({name});
    for (const std::int64_t number : {s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, s.left})
      rows.back().push_back(std::to_string(number));
  };
  std::size_t journals = 0;
  for (const LookedWay& one : all) {
    for (const auto& [path, status] : one.looked) row(path, counts_of(status));
    journals += one.looked.size();
    if (all.size() > 1 && one.looked.size() > 1) row(one.way.output.string() + " " + one.way.text(), counts_of(one));
  }
  if (journals > 1 && begun_in_several_ways(all).empty()) row("all", counts_of(all));
  return rows;
}

std::string missing_text(const Way& way) {
  std::vector<std::string> numbers;
  for (const int number : way.missing)
    if (numbers.size() < 20) numbers.push_back(std::to_string(number));
  return fmt::format("{} of {} shards of {} have not begun: {}{}\n", way.missing.size(), way.shards,
                     way.output.string(), base::enumerate(numbers), way.missing.size() > numbers.size() ? " ..." : "");
}

std::string json_text(const std::string& text) { return base::to_json(base::Value{text}); }

std::string json_counts(const CellCounts& s) {
  return fmt::format(
      "\"planned\": {}, \"ok\": {}, \"failed\": {}, \"crashed\": {}, \"timeout\": {}, \"skipped\": {}, \"left\": {}",
      s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, s.left);
}

std::string json_of(const LookedJournal& looked) {
  const auto& [path, s] = looked;
  return fmt::format(
      "{{\"journal\": {}, \"title\": {}, \"study_hash\": {}, \"study_path\": {}, \"shard\": {}, \"poslab\": {}, {}, "
      "\"begun\": {}, \"began\": {}, \"began_by\": {}, \"writer\": {}, \"cells_per_second\": {}}}",
      json_text(path), json_text(s.title), json_text(s.study_hash), json_text(s.study_path), json_text(s.shard),
      json_text(s.poslab), json_counts(counts_of(s)), s.begun, s.began, json_text(s.began_by),
      s.writer.empty() ? "null" : json_text(s.writer), s.rate > 0 ? fmt::format("{:.6g}", s.rate) : "null");
}

std::string json_of(const LookedWay& one) {
  std::vector<std::string> unreadable;
  for (const std::string& path : one.unreadable) unreadable.push_back(json_text(path));
  const CellCounts sum = counts_of(one);
  return fmt::format(
      "{{\"output\": {}, \"shards\": {}, \"missing\": [{}], \"unreadable\": [{}], {}, \"complete\": {}}}",
      json_text(one.way.output.string()), one.way.shards == 0 ? "null" : std::to_string(one.way.shards),
      fmt::join(one.way.missing, ", "), fmt::join(unreadable, ", "), json_counts(sum), sum.complete);
}

}  // namespace

CellCounts counts_of(const std::vector<LookedWay>& all) {
  CellCounts sum;
  for (const LookedWay& way : all) add(sum, counts_of(way));
  return sum;
}

std::string status_text(const std::vector<LookedWay>& all) {
  std::string text = text_table(table_of(all), 1, std::numeric_limits<std::size_t>::max());
  for (const LookedWay& one : all) {
    for (const auto& [path, status] : one.looked) text += fmt::format("{}: {}\n", path, words_of(status));
    if (!one.way.missing.empty()) text += missing_text(one.way);
  }
  for (const std::string& output : begun_in_several_ways(all)) {
    std::vector<std::string> ways;
    for (const LookedWay& one : all)
      if (one.way.output.lexically_normal() == output) ways.push_back(one.way.text());
    text += fmt::format(
        "{} was begun in several ways: {}; each has all cells for itself (name the journals of one to see it alone, "
        "and "
        "delete those of what you have given up)\n",
        output, fmt::join(ways, ", "));
  }
  return text;
}

std::string status_json(const std::vector<LookedWay>& all) {
  std::vector<std::string> journals, ways;
  for (const LookedWay& one : all) {
    for (const LookedJournal& looked : one.looked) journals.push_back(json_of(looked));
    ways.push_back(json_of(one));
  }
  const CellCounts sum = counts_of(all);
  return fmt::format(
      "{{\"journals\": [{}],\n \"runs\": [{}],\n \"sum\": {}}}\n", fmt::join(journals, ",\n "), fmt::join(ways, ",\n "),
      begun_in_several_ways(all).empty() ? fmt::format("{{{}, \"complete\": {}}}", json_counts(sum), sum.complete)
                                         : "null");
}

}  // namespace poslab::app
