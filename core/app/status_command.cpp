// SPDX-License-Identifier: Apache-2.0
// `poslab status`: how far runs are, as their journals say. A results file stands for its journal, or for its shards'.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <regex>

#include "poslab/app/commands.hpp"
#include "poslab/app/options.hpp"
#include "poslab/app/text_table.hpp"
#include "poslab/base/text.hpp"
#include "poslab/run/journal.hpp"
#include "poslab/run/journal_status.hpp"

namespace poslab::app {
namespace {

namespace fs = std::filesystem;

struct Looked {
  std::string path;
  run::JournalStatus status;
};

struct Sum {
  std::int64_t planned = 0, ok = 0, failed = 0, crashed = 0, timeout = 0, skipped = 0, left = 0;
  bool finished = true;
};

fs::path output_of(const std::string& file) {
  if (fs::path(file).extension() == ".toml") return fs::path(file).stem().string() + ".h5";
  if (fs::path(file).extension() == ".journal") return fs::path(file).replace_extension();
  return file;
}

// Journals of the shards of `output`, by their number, and how many shards there are to be.
std::map<int, fs::path> shards_of(const fs::path& output, int& count) {
  const std::regex name("(.*)\\.([0-9]{1,9})-of-([0-9]{1,9})");
  std::map<int, fs::path> found;
  const fs::path directory = output.has_parent_path() ? output.parent_path() : fs::path(".");
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, unreadable)) {
    const fs::path shard = entry.path().stem();
    const std::string stem = shard.stem().string();
    std::smatch parts;
    if (entry.path().extension() != ".journal" || shard.extension() != output.extension() ||
        !std::regex_match(stem, parts, name) || parts[1] != output.stem().string())
      continue;
    count = std::stoi(parts[3]);
    found[std::stoi(parts[2])] = output.has_parent_path() ? entry.path() : entry.path().filename();
  }
  return found;
}

// What a word of the command line stands for; `missing` names shards that have not begun.
std::vector<fs::path> journals_of(const std::string& file, std::string& missing) {
  const fs::path output = output_of(file), journal = run::Journal::beside(output);
  int count = 0;
  const std::map<int, fs::path> shards = fs::exists(journal) ? std::map<int, fs::path>{} : shards_of(output, count);
  if (shards.empty()) return {journal};
  std::vector<fs::path> journals;
  std::vector<std::string> absent;
  for (int number = 1; number <= count; ++number)
    if (shards.count(number) > 0)
      journals.push_back(shards.at(number));
    else if (absent.size() < 20)
      absent.push_back(std::to_string(number));
  const auto lacking = static_cast<std::size_t>(count) - journals.size();
  if (lacking > 0)
    missing += fmt::format("{} of {} shards of {} have not begun: {}{}\n", lacking, count, output.string(),
                           base::enumerate(absent), lacking > absent.size() ? " ..." : "");
  return journals;
}

Sum sum_of(const std::vector<Looked>& all) {
  Sum sum;
  for (const auto& [path, status] : all) {
    sum.planned += status.planned, sum.skipped += status.skipped, sum.ok += status.ok, sum.failed += status.failed;
    sum.crashed += status.crashed, sum.timeout += status.timeout, sum.left += status.left();
    sum.finished = sum.finished && status.is_finished();
  }
  return sum;
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

std::string as_text(const std::vector<Looked>& all, const std::string& missing) {
  std::vector<std::vector<std::string>> rows{
      {"journal", "planned", "ok", "failed", "crashed", "timeout", "skipped", "left"}};
  const auto row = [&](const std::string& name, const std::vector<std::int64_t>& numbers) {
    rows.push_back({name});
    for (const std::int64_t number : numbers) rows.back().push_back(std::to_string(number));
  };
  for (const auto& [path, s] : all) row(path, {s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, s.left()});
  const Sum sum = sum_of(all);
  if (all.size() > 1) row("all", {sum.planned, sum.ok, sum.failed, sum.crashed, sum.timeout, sum.skipped, sum.left});
  std::string text = text_table(rows, 1, std::numeric_limits<std::size_t>::max());
  for (const auto& [path, status] : all) text += fmt::format("{}: {}\n", path, words_of(status));
  return text + missing;
}

std::string json_text(const std::string& text) { return base::to_json(base::Value{text}); }

std::string as_json(const std::vector<Looked>& all) {
  const auto counts = [](const auto& s, std::int64_t left) {
    return fmt::format(
        "\"planned\": {}, \"ok\": {}, \"failed\": {}, \"crashed\": {}, \"timeout\": {}, \"skipped\": {}, "
        "\"left\": {}",
        s.planned, s.ok, s.failed, s.crashed, s.timeout, s.skipped, left);
  };
  std::string text = "{\"journals\": [";
  for (const auto& [path, s] : all)
    text += fmt::format(
        "{}{{\"journal\": {}, \"title\": {}, \"study_hash\": {}, \"study_path\": {}, \"shard\": {}, \"poslab\": {}, "
        "{}, "
        "\"begun\": {}, \"began\": {}, \"began_by\": {}, \"writer\": {}, \"cells_per_second\": {}}}",
        &path == &all.front().path ? "" : ",\n ", json_text(path), json_text(s.title), json_text(s.study_hash),
        json_text(s.study_path), json_text(s.shard), json_text(s.poslab), counts(s, s.left()), s.begun, s.began,
        json_text(s.began_by), s.writer.empty() ? "null" : json_text(s.writer),
        s.rate > 0 ? fmt::format("{:.6g}", s.rate) : "null");
  const Sum sum = sum_of(all);
  return text + fmt::format("],\n \"sum\": {{{}, \"complete\": {}}}}}\n", counts(sum, sum.left), sum.finished);
}

}  // namespace

int status_command(const std::vector<std::string>& arguments) {
  Options options("status");
  options.add()("json", "as JSON");
  options.positional("FILE", 1, std::numeric_limits<std::size_t>::max());
  const auto values = options.parse(arguments);
  std::vector<Looked> all;
  std::string missing;
  bool unreadable = false;
  for (const std::string& file : values["FILE"].as<std::vector<std::string>>())
    for (const fs::path& journal : journals_of(file, missing)) {
      try {
        all.push_back({journal.string(), run::status_of_journal(journal)});
      } catch (const base::Error& problem) {
        std::fputs(fmt::format("poslab: {}\n", problem.what()).c_str(), stderr);
        unreadable = true;
      }
    }
  if (!all.empty()) std::fputs((values.count("json") > 0 ? as_json(all) : as_text(all, missing)).c_str(), stdout);
  if (unreadable) return wrong_input;
  const Sum sum = sum_of(all);
  if (!sum.finished || !missing.empty()) return unfinished;
  return sum.failed + sum.crashed + sum.timeout > 0 ? cells_failed : all_well;
}

}  // namespace poslab::app
