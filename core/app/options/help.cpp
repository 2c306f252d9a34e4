// SPDX-License-Identifier: Apache-2.0
// The help of options: what fits a screen of 80 columns.
#include <fmt/format.h>

#include <algorithm>

#include "options/options.hpp"
#include "poslab/base/text.hpp"
#include "terminal/styled_text.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t max_option_width = 25;

}  // namespace

std::string option_name(const Declaration& declared) {
  return (declared.letter ? fmt::format("-{}, ", declared.letter) : "") + "--" + declared.name +
         (declared.value.empty() ? "" : " " + declared.value);
}

std::string options_text(const Options& options) {
  std::size_t width = 0;
  for (const Row* row : options.shown())
    if (const std::size_t size = option_name(row->declared).size(); size <= max_option_width)
      width = std::max(width, size);
  std::vector<std::pair<std::string, std::string>> groups;
  for (const Row* row : options.shown()) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == row->heading; });
    if (group == groups.end()) group = groups.insert(group, {row->heading, row->heading + ":\n"});
    group->second += wrapped(fmt::format("  {:<{}}  {}{}", option_name(row->declared), width, row->declared.sentence,
                                         row->usual.empty() ? "" : fmt::format(" [{}]", row->usual)),
                             page_columns, width + 4);
  }
  std::string text;
  for (const auto& [heading, lines] : groups) text += lines;
  return text;
}

std::string no_such_option(const std::string& word, const Options& options) {
  std::vector<std::string> known{"help"};
  for (const Row* row : options.shown()) known.push_back(row->declared.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string meant = base::nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), known);
  return fmt::format("there is no option {}{}", name, meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
}

}  // namespace poslab::app
