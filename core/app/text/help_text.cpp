// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t help_width = 80, most_name = 25;

// "-o, --output FILE"
std::string option_name(const OptionRow& row) {
  const std::string value = row.value.substr(0, row.value.find(" (="));  // of "N (=1)"
  return (row.letter.empty() ? "" : fmt::format("-{}, ", row.letter)) + "--" + row.name +
         (value.empty() ? "" : " " + value);
}

std::string option_sentence(const OptionRow& row) {
  const std::size_t at = row.value.find(" (=");
  if (at == std::string::npos) return row.sentence;
  return fmt::format("{} [{}]", row.sentence, row.value.substr(at + 3, row.value.size() - at - 4));
}

std::string wrapped_sentence(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t begin = 0;
  while (text.size() - begin > help_width - indent) {
    const std::size_t space = text.rfind(' ', begin + help_width - indent);
    if (space == std::string::npos || space <= begin) break;
    lines += text.substr(begin, space - begin) + "\n" + std::string(indent, ' ');
    begin = space + 1;
  }
  return lines + text.substr(begin);
}

}  // namespace

std::string options_text(const std::list<OptionGroup>& groups) {
  std::size_t width = 0;
  for (const OptionRow& row : option_rows(groups))
    if (const std::size_t size = option_name(row).size(); size <= most_name) width = std::max(width, size);
  std::string text;
  for (const OptionGroup& group : groups) {
    const std::vector<OptionRow> rows = option_rows(group);
    if (!rows.empty()) text += group.heading + ":\n";
    for (const OptionRow& row : rows)
      text += fmt::format("  {:<{}}  {}\n", option_name(row), width, wrapped_sentence(option_sentence(row), width + 4));
  }
  return text;
}

std::string no_such_option(const std::string& word, const std::list<OptionGroup>& groups) {
  std::vector<std::string> known{"help"};
  for (const OptionRow& row : option_rows(groups)) known.push_back(row.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string meant = base::nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), known);
  return fmt::format("there is no option {}{}", name, meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
}

}  // namespace poslab::app
