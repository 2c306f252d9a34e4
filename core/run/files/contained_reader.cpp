// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/contained_reader.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <sstream>

#include "poslab/data/archive.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;
using Content = results::OutputContent;

constexpr char separator = '\n';
constexpr std::string_view of_shard = " shard";  // behind the hash of the study
constexpr std::size_t max_content_bytes = std::size_t{64} << 20,
                      max_weights = std::size_t{2} << 30;  // bytes of an answer
constexpr double weights_patience = 600;                   // seconds

// Seconds. HDF5 loops for ever on some damaged files; of a good one it reads a hundred megabytes in each.
double content_patience(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(path, none);
  return 60 + (none ? 0 : static_cast<double>(size) / 1e6);
}

constexpr std::string_view ourselves = "poslab: ";

// What a child said, without our own name and the end of the line.
std::string sentence_of(std::string error_output) {
  error_output.erase(0, ourselves.size());
  while (!error_output.empty() && error_output.back() == '\n') error_output.pop_back();
  return error_output;
}

// A sanitizer, too, ends a process with an exit code.
std::string problem_of(const std::string& path, const process::Ended& reader) {
  if (reader.how == process::End::timed_out)
    return path + ": cannot be read: it takes HDF5 for ever" + process::left_text(reader);
  if (reader.how == process::End::killed)
    return fmt::format("{}: cannot be read: HDF5 ends its process with {}", path, process::signal_text(reader.code));
  if (!reader.error_output.starts_with(ourselves))
    return fmt::format("{}: cannot be read: HDF5 ends its process with exit code {}", path, reader.code);
  return sentence_of(reader.error_output);  // which names the file
}

template <class Archive, data::Of<results::TrainedCell> T>
void archive_cell(Archive& archive, T& cell) {
  archive(cell.experiment, cell.scheme, cell.variant, cell.parameters, cell.axes, cell.d_model, cell.heads, cell.repeat,
          cell.training.title, cell.training.steps, cell.arrays, cell.has_network);
}

std::vector<results::TrainedCell> weights_in(const std::vector<std::string>& words, const char* command = "kept") {
  std::vector<std::string> arguments{process::in_child, command};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const process::Ended ended = process::run_self(arguments, weights_patience, max_weights);
  const char* hint = "give other weights";
  if (ended.how != process::End::exited || ended.code != 0) throw OutputUnreadable(words.front(), ended, hint);
  try {
    return decode_weights(ended.answer);
  } catch (const base::Error&) {
    throw OutputUnreadable(words.front(), ended, hint);
  }
}

}  // namespace

OutputUnreadable::OutputUnreadable(const std::string& path_, const process::Ended& reader, const std::string& hint_)
    : Error(Kind::file, problem_of(path_, reader), hint_), path(path_) {}

results::OutputContent read_content(const std::string& path, const std::string& hint) {
  std::error_code none;
  if (!fs::exists(fs::status(path, none))) return {};
  const process::Ended ended =
      process::run_self({process::in_child, "look", path}, content_patience(path), max_content_bytes);
  const bool is_well = ended.how == process::End::exited && ended.code == 0;
  const auto content = is_well ? decode_content(ended.answer) : std::nullopt;
  if (!content) throw OutputUnreadable(path, ended, hint);
  return *content;
}

std::vector<results::TrainedCell> read_weights(const std::string& path, results::Kept kept) {
  return weights_in({path}, kept == results::Kept::all ? "networks" : "kept");
}

data::KeptArray read_weights(const std::string& path, const std::string& dataset) {
  std::vector<results::TrainedCell> cells = weights_in({path, dataset});
  if (cells.size() != 1 || cells.front().arrays.size() != 1)
    throw data::NotPacked(data::NotPacked::Problem::contradiction, "one array was asked for");
  return std::move(cells.front().arrays.front());
}

std::string encode(const Content& content) {
  switch (content.kind) {
    case Content::Kind::nothing: return "nothing";
    case Content::Kind::table: return "table";
    case Content::Kind::run: {
      std::string answer = (content.complete ? "+" : "-") + content.study_hash;
      if (content.is_shard) answer += of_shard;
      for (const std::string& cell : content.measured) answer += separator + cell;
      return answer;
    }
  }
  return "nothing";
}

std::optional<Content> decode_content(const std::string& text) {
  if (text == "nothing") return Content{};
  if (text == "table") return Content{Content::Kind::table, "", true};
  if (!text.starts_with('+') && !text.starts_with('-')) return std::nullopt;
  Content content{Content::Kind::run, "", text.front() == '+'};
  std::istringstream words(text.substr(1));
  std::getline(words, content.study_hash, separator);
  content.is_shard = content.study_hash.ends_with(of_shard);
  if (content.is_shard) content.study_hash.erase(content.study_hash.size() - of_shard.size());
  for (std::string cell; std::getline(words, cell, separator);) content.measured.push_back(cell);
  return content;
}

std::string encode(const std::vector<results::TrainedCell>& cells) {
  data::Writer out;
  for (const results::TrainedCell& cell : cells) archive_cell(out, cell);
  return std::move(out).finish();
}

std::vector<results::TrainedCell> decode_weights(std::string_view answer) {
  std::vector<results::TrainedCell> cells;
  for (data::Reader in(answer); !in.rest().empty();) archive_cell(in, cells.emplace_back());
  return cells;
}

}  // namespace poslab::run
