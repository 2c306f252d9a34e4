// SPDX-License-Identifier: Apache-2.0
#include "parts/given_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "parts/sequences.hpp"
#include "poslab/arrays/npy.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/kept_array.hpp"

namespace poslab::tasks {
namespace {

struct Word {
  std::string_view text;
  std::size_t column;  // in bytes, from 1
};

struct Line {
  std::size_t number;  // from 1
  std::vector<Word> tokens, targets;
};

BadFile bad_line(std::size_t line, std::size_t column, const std::string& problem) {
  return bad_lines(fmt::format("has a mistake in line {}, column {}: {}", line, column, problem));
}

bool is_asked(const Word& target) { return target.text != "-" && target.text != "_"; }

// `first`: the column at which the text begins.
std::vector<Word> words_of(std::string_view text, std::size_t first) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back({text.substr(at, end - at), first + at});
    at = end + 1;
  }
  return words;
}

Line line_of(std::string_view text, std::size_t number) {
  const std::size_t tab = text.find('\t');
  if (tab == text.npos) throw bad_line(number, text.size() + 1, "there is no tab between tokens and targets");
  if (const std::size_t second = text.find('\t', tab + 1); second != text.npos)
    throw bad_line(number, second + 1, "there is a second tab");
  Line line{number, words_of(text.substr(0, tab), 1), words_of(text.substr(tab + 1), tab + 2)};
  if (line.tokens.empty()) throw bad_line(number, 1, "there are no tokens before the tab");
  if (line.targets.size() != line.tokens.size())
    throw bad_line(number, tab + 2,
                   fmt::format("there must be a target, or -, for each token: {} for {}", line.targets.size(),
                               line.tokens.size()));
  if (std::none_of(line.targets.begin(), line.targets.end(), is_asked))
    throw bad_line(number, tab + 2, "no target counts");
  return line;
}

std::vector<Line> split(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != line.npos) lines.push_back(line_of(line, number));
    at = end + 1;
  }
  return lines;
}

// The number at [line, 0 or 1, t]: -1, or what may be a token.
std::int32_t number_at(const data::KeptArray& array, std::size_t line, std::size_t which, std::size_t t) {
  const auto T = static_cast<std::size_t>(array.shape[2]);
  const double number = array.value((line * 2 + which) * T + t);
  if (number == std::trunc(number) && number >= -1 && number <= max_given_token)
    return static_cast<std::int32_t>(number);
  throw bad_lines(fmt::format("has {} at [{}, {}, {}], and tokens and targets are whole numbers from 0 to {}, or -1",
                              base::shortest(number), line, which, t, max_given_token));
}

}  // namespace

BadFile bad_lines(const std::string& problem) {
  return {"instances", problem, "lines of tokens, a tab and their targets, or a .npy of both,"};
}

GivenLines lines_of_text(std::string_view text) {
  if (const std::size_t nul = text.find('\0'); nul != text.npos)
    throw bad_lines(fmt::format("has a byte 0 at offset {}, so it is a binary file, and no .npy", nul));
  const std::vector<Line> split_lines = split(text);
  if (split_lines.empty()) throw bad_lines("has no lines");
  std::map<std::string_view, std::int32_t> numbers;
  for (const Line& line : split_lines) {
    for (const Word& token : line.tokens) numbers.emplace(token.text, 0);
    for (const Word& target : line.targets)
      if (is_asked(target)) numbers.emplace(target.text, 0);
  }
  std::int32_t next = 0;
  GivenLines given;
  for (auto& [word, number] : numbers) {
    number = next++;
    given.words.append(number > 0 ? " " : "").append(word);
  }
  given.vocabulary = next;
  for (const Line& line : split_lines) {
    Sequence& sequence = given.lines.emplace_back();
    for (std::size_t t = 0; t < line.tokens.size(); ++t) {
      const Word& target = line.targets[t];
      add_token(sequence, numbers.at(line.tokens[t].text),
                is_asked(target) ? std::optional(numbers.at(target.text)) : std::nullopt);
    }
  }
  return given;
}

GivenLines lines_of_npy(std::string_view bytes) {
  data::KeptArray array;
  try {
    array = arrays::read_npy(arrays::source_of(bytes), arrays::Accept::reals_and_whole);
  } catch (const arrays::BadArray& bad) {
    throw bad_lines(bad.what());
  }
  if (array.shape.size() != 3 || array.shape[1] != 2)
    throw bad_lines(
        fmt::format("has an array of {}, and lines are an array of lines x 2 x tokens", array.shape_text()));
  GivenLines given;
  for (std::size_t n = 0; n < static_cast<std::size_t>(array.shape[0]); ++n) {
    Sequence& line = given.lines.emplace_back();
    for (std::size_t t = 0; t < static_cast<std::size_t>(array.shape[2]); ++t) {
      const std::int32_t token = number_at(array, n, 0, t), target = number_at(array, n, 1, t);
      if (token < 0) break;
      add_token(line, token, target < 0 ? std::nullopt : std::optional(target));
      given.vocabulary = std::max<Index>(given.vocabulary, std::max(token, target) + 1);
    }
    if (std::find(line.mask.begin(), line.mask.end(), 1) == line.mask.end())
      throw bad_lines(fmt::format("asks for nothing in line {}, counted from 0", n));
  }
  return given;
}

}  // namespace poslab::tasks
