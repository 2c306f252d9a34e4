// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/text/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "poslab/base/text.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

constexpr std::size_t screen = 80, most_name = 25;

// "-o, --output FILE"
std::string name_of(const po::option_description& option) {
  const std::string letter = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  const std::string name = "--" + option.long_name();
  std::string text = letter.size() == 2 ? fmt::format("{}, {}", letter, name) : name;
  if (option.semantic()->max_tokens() == 0) return text;
  const std::string parameter = option.format_parameter();  // "N (=1)"
  return text + " " + parameter.substr(0, parameter.find(" (="));
}

std::string sentence_of(const po::option_description& option) {
  const std::string parameter = option.format_parameter();
  const std::size_t at = parameter.find(" (=");
  if (at == std::string::npos) return option.description();
  return fmt::format("{} [{}]", option.description(), parameter.substr(at + 3, parameter.size() - at - 4));
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t begin = 0;
  while (text.size() - begin > screen - indent) {
    const std::size_t space = text.rfind(' ', begin + screen - indent);
    if (space == std::string::npos || space <= begin) break;
    lines += text.substr(begin, space - begin) + "\n" + std::string(indent, ' ');
    begin = space + 1;
  }
  return lines + text.substr(begin);
}

template <class Visit>
void each_shown(const std::list<OptionGroup>& groups, const Visit& visit) {
  for (const OptionGroup& group : groups)
    if (!group.heading.empty())
      for (const auto& option : group.options.options()) visit(*option);
}

}  // namespace

std::string options_text(const std::list<OptionGroup>& groups) {
  std::size_t width = 0;
  each_shown(groups, [&](const po::option_description& option) {
    const std::size_t size = name_of(option).size();
    if (size <= most_name) width = std::max(width, size);
  });
  std::string text;
  for (const OptionGroup& group : groups) {
    if (group.heading.empty() || group.options.options().empty()) continue;
    text += group.heading + ":\n";
    for (const auto& option : group.options.options())
      text += fmt::format("  {:<{}}  {}\n", name_of(*option), width, wrapped(sentence_of(*option), width + 4));
  }
  return text;
}

std::string no_such_option(const std::string& word, const std::list<OptionGroup>& groups) {
  std::vector<std::string> known{"help"};
  each_shown(groups, [&](const po::option_description& option) { known.push_back(option.long_name()); });
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string meant = base::nearest(bare.substr(0, bare.find('=')), known);
  return fmt::format("there is no option {}{}", word.substr(0, word.find('=')),
                     meant.empty() ? "" : fmt::format("; did you mean --{}?", meant));
}

}  // namespace poslab::app
